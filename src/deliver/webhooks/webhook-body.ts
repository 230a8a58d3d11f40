import { publicId } from '../../common/ids.js';
import { API_PREFIX } from '../../http/request/paths.js';
import type { EventPayload } from '../../messages/outbox/outbox.repository.js';

/** The forms of a webhook's bodies: the service's own envelope, or CloudEvents 1.0 in structured mode. */
export const WEBHOOK_FORMATS = ['standard', 'cloudevents'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The media type of the bodies of each form. */
export const WEBHOOK_MEDIA_TYPES: Record<WebhookFormat, string> = {
  standard: 'application/json',
  cloudevents: 'application/cloudevents+json',
};

const ENVELOPES: Record<WebhookFormat, (workspaceId: string, event: EventPayload) => object> = {
  standard: (workspaceId, { id, type, createdAt }) => ({
    id: publicId('event', id),
    type,
    timestamp: createdAt,
    workspace_id: workspaceId,
  }),
  cloudevents: (workspaceId, { id, type, createdAt, subjectKind, subjectId }) => ({
    specversion: '1.0',
    id: publicId('event', id),
    source: `/${API_PREFIX}/workspaces/${workspaceId}`,
    type,
    subject: publicId(subjectKind, subjectId),
    time: createdAt,
    datacontenttype: 'application/json',
  }),
};

/** The request body of webhooks, identical for every attempt: the envelope of its form, then `data`. */
export function webhookBody(
  workspaceId: string,
  event: EventPayload,
  format: WebhookFormat = 'standard',
): string {
  const envelope = JSON.stringify(ENVELOPES[format](publicId('workspace', workspaceId), event));
  // Insert `data` as stored: parsing and serializing it again would cost more than the rest of the body.
  return `${envelope.slice(0, -1)},"data":${event.data}}`;
}
