import type { components, webhooks } from './schema.js';

/** A post in `alert.triggered`; `selftext` is cut at 1,000 characters. */
export type MatchedPost = components['schemas']['MatchedPostDto'];

/** The payload that a webhook receives: every event of the contract; `type` determines the shape of `data`. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** The inputs for verifying a delivery. */
export interface WebhookDelivery {
  /** The signing secret of the webhook. */
  secret: string;
  /** The request's headers: a `Headers` object, or any object of headers (`request.headers`), in any case. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as received, before any JSON parser: text or bytes (a `Buffer` too). */
  body: string | Uint8Array | ArrayBuffer;
  /** Maximum difference between the delivery's time and this clock, in seconds. Default 300. */
  toleranceSeconds?: number;
}

/** A delivery that was not signed with the secret, or is too old. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

/**
 * Returns the event of a signed delivery (Standard Webhooks). Throws {@link WebhookVerificationError} unless one of its
 * signatures was made with the secret over this id, time and body.
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
}: WebhookDelivery): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === null || timestamp === null || signatures === null)
    throw new WebhookVerificationError('The delivery is not signed: a webhook-… header is missing');
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError(`The delivery's time is more than ${toleranceSeconds} s away`);
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytes(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const content = bytesOf(body);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + content.length);
  signed.set(head);
  signed.set(content, head.length);
  for (const signature of signatures.split(' ')) {
    const [version, encoded] = signature.split(',');
    const bytes = version === 'v1' && encoded !== undefined ? fromBase64(encoded) : null;
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
      return JSON.parse(new TextDecoder().decode(content)) as WebhookEvent;
  }
  throw new WebhookVerificationError('No signature of the delivery was made with this secret');
}

function headerOf(headers: WebhookDelivery['headers'], name: string): string | null {
  if (isHeaders(headers)) return headers.get(name);
  const key = Object.keys(headers).find((given) => given.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return (typeof value === 'object' ? value[0] : value) ?? null;
}

/** Also true for the `Headers` of another implementation of `fetch`. */
function isHeaders(headers: WebhookDelivery['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

function bytesOf(body: WebhookDelivery['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}

/** Base64, with or without padding, after `whsec_` stands for the decoded bytes, any other secret for its UTF-8 bytes. */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = /^whsec_((?:[A-Za-z\d+/]{4})*[A-Za-z\d+/]{2,4})={0,2}$/.exec(secret)?.[1];
  return (encoded === undefined ? null : fromBase64(encoded)) ?? new TextEncoder().encode(secret);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
