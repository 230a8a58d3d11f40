import type { Scope } from '../../http/request/scope.js';

/** The access that a person gave to an assistant, as `sessions` stores it. Hashes are SHA-256, in hexadecimal digits. */
export interface AssistantGrant {
  /** Hash of the client id. */
  client: string;
  /** The only address that the tokens are for. */
  resource: string;
  scopes: Scope[];
  /** Hash of the only text that is exchanged next: the authorization code, then each refresh token. */
  next: string;
  /** What the exchange of the authorization code must prove; null when it was exchanged. */
  code: { challenge: string; redirectUri: string } | null;
  /** The access token; null before the code is exchanged. */
  access: { hash: string; endsAt: string } | null;
}
