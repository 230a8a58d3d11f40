import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { Problem } from '../../http/problems/problem.js';
import { allows, type Scope } from '../../http/request/scope.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { type ApiKey, hasExpired } from '../api-keys/api-key.entity.js';
import { requireUsable } from '../api-keys/api-keys.service.js';
import type { AssistantGrant } from '../api-keys/assistant-grant.js';
import { type FoundSession, SessionsRepository } from '../api-keys/sessions.repository.js';
import { earliest } from '../sessions/sessions.service.js';
import { familyOf, hashOfFamily, newPart, newToken, type TokenKind } from './assistant-token.js';
import { type AuthorizationRequest, scopeText } from './authorization-request.js';
import {
  begunGrant,
  type CodeProof,
  isNewest,
  isOf,
  isPresentAccess,
  refusalOfCode,
  refusalOfToken,
  renewedGrant,
} from './grant-rules.js';
import { OAuthError } from './oauth-error.js';

const CODE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A grant ends when its tokens are not renewed for this long, */
const UNUSED_MS = 30 * DAY_MS;
/** and at the latest after this time; then the person has to consent again. */
const LONGEST_MS = 90 * DAY_MS;
/** Assistants that a key or member can have; the oldest ends when a new one begins. */
const MAX_PER_KEY = 20;
/** How the list of sessions names an assistant, in place of a browser. */
const LISTED_AS = 'Assistant: ';
/** Unlike browsers, assistants have no idle time beside their end. */
const EVER = new Date(0);

/** A grant found by a token, with the key or member that gave it. */
interface FoundGrant extends FoundSession {
  family: string;
  grant: AssistantGrant;
}

/** The tokens after an exchange. */
export interface IssuedTokens {
  access: string;
  refresh: string;
  scopes: readonly Scope[];
}

/**
 * The access that people gave to assistants. A grant is a session, so that it is listed and ended like one; it has no
 * more rights than its key or member, and ends with it.
 */
@Injectable()
export class AssistantGrantsService {
  private readonly logger = new Logger(AssistantGrantsService.name);

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly inactive: InactiveWorkspaces,
    private readonly clock: Clock,
  ) {}

  /**
   * Grants a request in the name of a key or member; returns the authorization code, which ends after a minute. Throws 403
   * for a suspended workspace.
   */
  async begin(
    request: AuthorizationRequest,
    { workspaceId, id: apiKeyId, expiresAt: keyEndsAt }: ApiKey,
    scopes: Scope[],
    address: string,
  ): Promise<string> {
    this.inactive.requireActive(workspaceId);
    const family = newPart();
    const code = newToken('code', family);
    const now = this.clock.now();
    const session = {
      ...{ workspaceId, tokenHash: hashOfFamily(family), id: newId(), kind: 'assistant' as const, apiKeyId },
      ...{ parentId: null, sessionEndsAt: null, assistant: begunGrant(request, scopes, code) },
      ...{ address, userAgent: `${LISTED_AS}${request.client.name} (${scopeText(scopes)})` },
      ...{ createdAt: now, lastUsedAt: now, expiresAt: earliest(after(now, CODE_MS), keyEndsAt) },
    };
    await this.sessions.insert(session, MAX_PER_KEY);
    return code;
  }

  /** Exchanges an authorization code. It works once, and a wrong attempt ends it. Throws {@link OAuthError}. */
  async exchangeCode(text: string, proof: CodeProof): Promise<IssuedTokens> {
    const found = await this.find('code', text);
    return this.renew(
      found,
      refusalOfToken(found.grant, text, proof.clientId) ?? refusalOfCode(found.grant, proof),
    );
  }

  /** Exchanges a refresh token. One that was used before ends the grant. Throws {@link OAuthError}. */
  async refresh(text: string, clientId: string, resource: string | undefined): Promise<IssuedTokens> {
    const found = await this.find('refresh', text);
    if (resource !== undefined && resource !== found.grant.resource)
      throw new OAuthError('invalid_target', `resource must be ${found.grant.resource}.`);
    return this.renew(found, refusalOfToken(found.grant, text, clientId));
  }

  /**
   * Ends the grant of a token (RFC 7009). A text that is not the newest token of a grant has no effect: it has ended, and
   * a client that renews its tokens may put away those before. Throws {@link OAuthError} for a token of another client.
   */
  async revoke(text: string, clientId: string): Promise<void> {
    const found = (await this.lookUp('refresh', text)) ?? (await this.lookUp('access', text));
    if (found === null || !isNewest(found.grant, text)) return;
    if (!isOf(found.grant, clientId))
      throw new OAuthError('invalid_grant', 'It was given to another client.');
    await this.remove(found, 'The client revoked it.');
  }

  /**
   * The key or member that an access token works for, with the rights of the grant. `resource` is where the token was
   * presented; null for a call of this service to itself. Throws 401.
   */
  async authenticate(text: string, resource: string | null): Promise<FoundSession> {
    const found = await this.find('access', text).catch(asProblem);
    if (!isPresentAccess(found.grant, text, this.clock.now()))
      throw new Problem('invalid_session', 'The access token has ended.');
    if (resource !== null && resource !== found.grant.resource)
      throw new Problem('invalid_session', `The access token is for ${found.grant.resource} only.`);
    requireUsable(found.key, this.clock.now());
    return { key: { ...found.key, scopes: found.grant.scopes }, session: found.session };
  }

  /**
   * The grant of a token. One with more rights than its key or member still has ends here. Throws
   * {@link OAuthError} for a token of no grant.
   */
  private async find(kind: TokenKind, text: string): Promise<FoundGrant> {
    const found = await this.lookUp(kind, text);
    if (found === null) throw new OAuthError('invalid_grant', 'It is unknown or has ended.');
    if (!found.grant.scopes.every((scope) => allows(found.key.scopes, scope)))
      await this.end(found, 'The person no longer has these rights.');
    return found;
  }

  private async lookUp(kind: TokenKind, text: string): Promise<FoundGrant | null> {
    const family = familyOf(kind, text);
    if (family === null) return null;
    const found = await this.sessions.find('assistant', hashOfFamily(family), this.clock.now(), EVER);
    const grant = found?.session.assistant ?? null;
    return found === null || grant === null ? null : { ...found, family, grant };
  }

  /** Issues new tokens in place of the present ones; with a refusal, ends the grant. */
  private async renew(found: FoundGrant, refusal: string | null): Promise<IssuedTokens> {
    if (refusal !== null) return this.end(found, refusal);
    const { key, session, grant: former, family } = found;
    const now = this.clock.now();
    if (!key.isActive || hasExpired(key, now) || this.inactive.has(key.workspaceId))
      throw new OAuthError('invalid_grant', 'The access has ended, or its workspace is suspended.');
    const { grant, access, refresh } = renewedGrant(former, family, now);
    const longest = after(session.createdAt, LONGEST_MS);
    const expiresAt = earliest(after(now, UNUSED_MS), longest, key.expiresAt);
    const next = { grant, expiresAt, now };
    if (!(await this.sessions.replaceGrant(key.workspaceId, hashOfFamily(family), former, next)))
      return this.end(found, 'It was used before.');
    return { access, refresh, scopes: grant.scopes };
  }

  private async end(found: FoundGrant, why: string): Promise<never> {
    await this.remove(found, why);
    throw new OAuthError('invalid_grant', why);
  }

  private async remove({ key: { workspaceId, id }, family }: FoundGrant, why: string): Promise<void> {
    await this.sessions.delete(workspaceId, hashOfFamily(family));
    this.logger.warn({ workspaceId, keyId: id, why }, 'access of an assistant ended');
  }
}

const after = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);

function asProblem(error: unknown): never {
  if (error instanceof OAuthError)
    throw new Problem('invalid_session', 'The access token is unknown or has ended.');
  throw error;
}
