import { createHash } from 'node:crypto';
import type { AssistantGrant } from '../api-keys/assistant-grant.js';
import { hashOfText, newToken } from './assistant-token.js';
import type { AuthorizationRequest } from './authorization-request.js';
import type { Scope } from '../../http/request/scope.js';

/** Lifetime of an access token. */
export const ACCESS_MS = 3_600_000;
/** A code verifier (RFC 7636, 4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** What a client sends with its authorization code. */
export interface CodeProof {
  clientId: string;
  verifier: string;
  redirectUri: string;
  resource: string | undefined;
}

/** A grant whose authorization code is not exchanged yet. */
export const begunGrant = (
  { client, resource, challenge, redirectUri }: AuthorizationRequest,
  scopes: Scope[],
  code: string,
): AssistantGrant => ({
  client: hashOfText(client.id),
  resource,
  scopes,
  next: hashOfText(code),
  code: { challenge, redirectUri },
  access: null,
});

/** The grant with new tokens of its family, which end those before, and the texts of these tokens. */
export function renewedGrant(
  grant: AssistantGrant,
  family: string,
  now: Date,
): { grant: AssistantGrant; access: string; refresh: string } {
  const [access, refresh] = [newToken('access', family), newToken('refresh', family)];
  const endsAt = new Date(now.getTime() + ACCESS_MS).toISOString();
  const tokens = { next: hashOfText(refresh), code: null, access: { hash: hashOfText(access), endsAt } };
  return { grant: { ...grant, ...tokens }, access, refresh };
}

/**
 * Why a code or refresh token of a grant is refused, which ends the grant: its sender may have stolen it. Null when
 * it is the one to be exchanged next, sent by the client that it was given to.
 */
export function refusalOfToken(grant: AssistantGrant, text: string, clientId: string): string | null {
  if (grant.next !== hashOfText(text)) return 'It was used before.';
  return isOf(grant, clientId) ? null : 'It was given to another client.';
}

/** Whether a grant was given to a client. */
export const isOf = ({ client }: AssistantGrant, clientId: string): boolean =>
  client === hashOfText(clientId);

/** Why an authorization code is refused, which ends the grant; null when it comes with all that it needs. */
export function refusalOfCode({ code, resource }: AssistantGrant, proof: CodeProof): string | null {
  if (code === null || proof.redirectUri !== code.redirectUri)
    return 'redirect_uri is not that of the request.';
  if (proof.resource !== undefined && proof.resource !== resource)
    return 'resource is not that of the request.';
  const answer = createHash('sha256').update(proof.verifier).digest('base64url');
  return VERIFIER.test(proof.verifier) && answer === code.challenge
    ? null
    : 'code_verifier does not match the code_challenge.';
}

/** Whether an access token is the newest of its grant and has not ended. */
export const isPresentAccess = ({ access }: AssistantGrant, text: string, now: Date): boolean =>
  access !== null && access.hash === hashOfText(text) && new Date(access.endsAt) > now;

/** Whether a token is the newest access or refresh token of its grant. */
export const isNewest = ({ access, next }: AssistantGrant, text: string): boolean =>
  [access?.hash, next].includes(hashOfText(text));
