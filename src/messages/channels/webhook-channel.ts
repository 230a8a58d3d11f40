import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { type SignedMessage, signingHeaders } from '../../infrastructure/signing/signing.js';
import type { ChannelDefinition, DeliveryOutcome } from './channel.js';
import { ADDRESS, SIGNING_SECRET } from './channel-settings.js';
import { postJson } from './post-json.js';

/** A signed event and where to send it. */
export interface SignedPost extends SignedMessage {
  url: string;
  /** Without a secret there is no signature. */
  secrets: readonly string[];
  /** Of the body; absent for `application/json`. */
  mediaType?: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Posts an event as webhooks receive it. Never throws. */
export async function postSigned(
  http: OutboundHttpClient,
  { url, secrets, mediaType, timeoutMs, signal, ...message }: SignedPost,
): Promise<DeliveryOutcome> {
  const headers = {
    ...signingHeaders(message, secrets),
    ...(mediaType !== undefined && { 'content-type': mediaType }),
  };
  const { outcome } = await postJson(http, { url, body: message.body, headers, timeoutMs, signal });
  return outcome;
}

/** Sends the event itself to an address, signed if there is a secret. */
export const WEBHOOK: ChannelDefinition = {
  name: 'webhook',
  title: 'Webhook',
  fields: [ADDRESS, SIGNING_SECRET],
  create: ({ environment, http, clock }) => ({
    send: ({ deliveryId, eventBody }, { webhook_url, secret }, signal) =>
      postSigned(http, {
        id: deliveryId,
        timestamp: clock.now(),
        body: eventBody,
        url: webhook_url ?? '',
        secrets: secret == null ? [] : [secret],
        timeoutMs: environment.WEBHOOK_TIMEOUT_MS,
        signal,
      }),
  }),
};
