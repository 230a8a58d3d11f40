import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SecretBox, SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { type AssistantClient, shownName } from './assistant-client.js';
import { ClientDocuments, type FoundClient, isDocumentAddress } from './client-documents.js';
import { OAuthError } from './oauth-error.js';
import { isAllowedRedirect } from './redirect-uri.js';

const MAX_REDIRECTS = 5;
const OWNER = { workspaceId: '', purpose: 'assistant client' };

const METADATA = z.object({
  client_name: z.string().max(1_000).optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  token_endpoint_auth_method: z.string().optional(),
});
const SEALED = z.object({ name: z.string(), redirects: z.array(z.string()) });

/**
 * The programs that registered (RFC 7591), and those whose id is the address of a document about them. Nothing is stored of
 * them, so that strangers can fill no table: the id that a program gets is its own registration, encrypted by this service.
 */
@Injectable()
export class AssistantClients {
  constructor(
    private readonly box: SecretBox,
    private readonly documents: ClientDocuments,
  ) {}

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
    const client = { name: shownName(data.client_name ?? ''), redirects: data.redirect_uris };
    return { ...client, host: null, id: this.box.seal(JSON.stringify(client), OWNER) };
  }

  /** The client with this id, which may be fetched from the host in it; or why there is none. */
  async find(id: string): Promise<FoundClient> {
    if (isDocumentAddress(id)) return this.documents.find(id);
    return (
      this.registered(id) ??
      'The assistant is not registered here. Remove this connection in it, and connect again.'
    );
  }

  /** Whether a client could have asked for access by this id. Nothing is fetched: its grants are those of the id. */
  mayExist(id: string): boolean {
    return isDocumentAddress(id) || this.registered(id) !== null;
  }

  /** The client that registered and got this id; null for any other text, and after the end of the key that encrypted it. */
  private registered(id: string): AssistantClient | null {
    try {
      return { ...SEALED.parse(JSON.parse(this.box.open(id, OWNER))), host: null, id };
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}
