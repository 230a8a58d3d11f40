import { publicId } from '../../common/ids.js';
import type { EventPayload } from '../../messages/outbox/outbox.repository.js';

/** The request body of webhooks: `{ id, type, timestamp, workspace_id, data }`, identical for every attempt. */
export function webhookBody(workspaceId: string, event: EventPayload): string {
  const envelope = JSON.stringify({
    id: publicId('event', event.id),
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    workspace_id: publicId('workspace', workspaceId),
  });
  // Insert `data` as stored: parsing and serializing it again would cost more than the rest of the body.
  return `${envelope.slice(0, -1)},"data":${event.data}}`;
}
