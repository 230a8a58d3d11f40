import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** One attempt to send a message. */
export interface SignedMessage {
  /** The same for every attempt, so that a receiver can detect repeats. */
  id: string;
  /** Time of this attempt. */
  timestamp: Date;
  /** The body exactly as sent. */
  body: string;
}

const PREFIX = 'whsec_';
/** The least that Standard Webhooks allows. */
const MIN_BYTES = 24;

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

/** Why a text cannot be a signing secret, as a predicate; null when it can. */
export function refuseSecret(secret: string): string | null {
  if (secret.startsWith(PREFIX) && !isBase64(secret))
    return `must be valid base64 after the prefix ${PREFIX}`;
  return keyOf(secret).length < MIN_BYTES
    ? `must have at least ${MIN_BYTES} bytes, for example ${PREFIX} and the output of: openssl rand -base64 32`
    : null;
}

function isBase64(secret: string): boolean {
  try {
    new Webhook(secret);
    return true;
  } catch {
    return false;
  }
}

/** A `whsec_` secret is base64; any other secret is used as its UTF-8 bytes. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}
