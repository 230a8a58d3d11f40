import { createHmac } from 'node:crypto';

/** One attempt to send a message. */
export interface SignedMessage {
  /** The same for every attempt, so that a receiver can detect repeats. */
  id: string;
  /** Time of this attempt. */
  timestamp: Date;
  /** The body exactly as sent. */
  body: string;
}

/** Maximum number of characters of a signing secret; any text of this length can be one. */
export const MAX_SECRET_LENGTH = 256;

/** A secret in base64, with or without padding. */
const ENCODED = /^whsec_((?:[A-Za-z\d+/]{4})*[A-Za-z\d+/]{2,4})={0,2}$/;

/**
 * The headers of Standard Webhooks: id, timestamp in whole seconds, and one `v1,…` signature per secret, separated by
 * spaces. During a rotation both secrets sign. Without a secret there is no signature header. Node.js computes the
 * hash, because the package's JavaScript implementation takes five times as long.
 */
export function signingHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(message.timestamp.getTime() / 1_000));
  const headers: Record<string, string> = { 'webhook-id': message.id, 'webhook-timestamp': timestamp };
  const signed = `${message.id}.${timestamp}.${message.body}`;
  if (secrets.length > 0)
    headers['webhook-signature'] = secrets
      .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`)
      .join(' ');
  return headers;
}

/** A secret in base64 after `whsec_` stands for the decoded bytes, any other secret for its UTF-8 bytes. */
function keyOf(secret: string): Buffer {
  const encoded = ENCODED.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
