import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { beginningOf } from '../../common/strings.js';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { OAuthError } from './oauth-error.js';
import { isAllowedRedirect } from './redirect-uri.js';

const MAX_REDIRECTS = 5;
const MAX_NAME_LENGTH = 60;
const OWNER = { workspaceId: '', purpose: 'assistant client' };
/** Spaces, control characters, and those that change the direction of the text around them. */
const UNREADABLE = /[\p{C}\p{Z}]+/gu;

const METADATA = z.object({
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  token_endpoint_auth_method: z.string().optional(),
});
const SEALED = z.object({ name: z.string(), redirects: z.array(z.string()) });

/** A program that may ask people for access. Its name is its own claim. */
export interface AssistantClient {
  id: string;
  name: string;
  redirects: string[];
}

/**
 * The programs that registered (RFC 7591). Nothing is stored of them, so that strangers can fill no table: the id that a
 * program gets is its own registration, encrypted by this service.
 */
@Injectable()
export class AssistantClients {
  constructor(private readonly box: SecretBox) {}

  /** Registers a public client. Throws {@link OAuthError}. */
  register(metadata: unknown): AssistantClient {
    const { data } = METADATA.safeParse(metadata);
    if (data === undefined)
      throw new OAuthError('invalid_client_metadata', `Send 1 to ${MAX_REDIRECTS} redirect_uris as JSON.`);
    if (!data.redirect_uris.every(isAllowedRedirect))
      throw new OAuthError(
        'invalid_redirect_uri',
        'Each of redirect_uris must be an https address, or an http address of localhost, 127.0.0.1 or [::1], without a fragment.',
      );
    const name = beginningOf((data.client_name ?? '').replaceAll(UNREADABLE, ' ').trim(), MAX_NAME_LENGTH);
    const client = { name: name === '' ? 'An assistant' : name, redirects: data.redirect_uris };
    return { ...client, id: this.box.seal(JSON.stringify(client), OWNER) };
  }

  /** The client with this id; null for any other text, and after the end of the key that encrypted it. */
  find(id: string): AssistantClient | null {
    try {
      return { ...SEALED.parse(JSON.parse(this.box.open(id, OWNER))), id };
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}
