import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Clock } from '../../common/clock.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { type AssistantClient, shownName } from './assistant-client.js';
import { isAllowedRedirect } from './redirect-uri.js';

const MAX_ADDRESS_LENGTH = 500;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16_384;
const MAX_REDIRECTS = 20;
/** How long a document is used without being fetched again, whatever its headers say. */
const FRESH_MS = 300_000;
/** Documents that are remembered; the one that was used least recently gives way. */
const MAX_REMEMBERED = 200;

const DOCUMENT = z.object({
  client_id: z.string(),
  client_name: z.string().max(1_000),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  // Everybody can read the document, so that no secret in it proves anything.
  token_endpoint_auth_method: z
    .string()
    .regex(/^(?!client_secret_)/)
    .optional(),
  client_secret: z.undefined().optional(),
});

/** The client that a document describes, or why there is none, as a sentence for people. */
export type FoundClient = AssistantClient | string;

/**
 * Whether a client id is the address of its document (OAuth Client ID Metadata Document, 3): an https address with a path,
 * in the form in which parsers write it, without a fragment or user.
 */
export function isDocumentAddress(id: string): boolean {
  if (id.length > MAX_ADDRESS_LENGTH || !URL.canParse(id)) return false;
  const { protocol, href, pathname, username, password } = new URL(id);
  const isBare = username === '' && password === '' && !id.includes('#');
  return protocol === 'https:' && pathname !== '/' && href === id && isBare;
}

/** Reads the document that was received from the address `id`. */
export function readDocument(id: string, text: string): FoundClient {
  const { host } = new URL(id);
  const { data } = DOCUMENT.safeParse(parsed(text));
  if (data === undefined)
    return `The document of the assistant at ${host} must be JSON with client_id, client_name and 1 to ${MAX_REDIRECTS} redirect_uris, without a secret.`;
  if (data.client_id !== id)
    return `The document of the assistant at ${host} has another client_id than its address.`;
  return {
    id,
    name: shownName(data.client_name),
    host,
    redirects: data.redirect_uris.filter(isAllowedRedirect),
  };
}

/** The documents by which programs describe themselves, fetched through the client that refuses private addresses. */
@Injectable()
export class ClientDocuments {
  private readonly remembered = new LRUCache<string, { client: AssistantClient; until: number }>({
    max: MAX_REMEMBERED,
  });

  constructor(
    private readonly outbound: OutboundHttpClient,
    private readonly clock: Clock,
  ) {}

  /** The client whose id is a {@link isDocumentAddress document address}. Only usable documents are remembered. */
  async find(id: string): Promise<FoundClient> {
    const now = this.clock.now().getTime();
    const known = this.remembered.get(id);
    if (known !== undefined && known.until > now) return known.client;
    const found = await this.fetch(id);
    if (typeof found === 'string') this.remembered.delete(id);
    else this.remembered.set(id, { client: found, until: now + FRESH_MS });
    return found;
  }

  private async fetch(url: string): Promise<FoundClient> {
    const { host } = new URL(url);
    try {
      const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, headers: { accept: 'application/json' } };
      const { status, body, truncated } = await this.outbound.request({ method: 'GET', url, ...limits });
      if (status !== 200)
        return `The document of the assistant at ${host} was answered with status ${status}.`;
      if (truncated) return `The document of the assistant at ${host} has more than ${MAX_BYTES} bytes.`;
      return readDocument(url, new TextDecoder().decode(body));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return `The document of the assistant at ${host} could not be fetched: ${error.message}.`;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
