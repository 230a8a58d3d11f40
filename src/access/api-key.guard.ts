import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { RowSecurity } from '../database/row-security.js';
import { ASSISTANTS } from '../http/request/assistants.decorator.js';
import { ownAddress } from '../http/request/own-address.js';
import { OWN_WORKSPACE } from '../http/request/paths.js';
import { requireId } from '../http/parameters/require-id.js';
import { Problem } from '../http/problems/problem.js';
import { PUBLIC } from '../http/request/public.decorator.js';
import { addressOf, type AuthenticatedRequest, changesNothing } from '../http/request/request.js';
import { readCookie, requireSameOrigin, SESSION_COOKIE } from '../http/request/session-cookie.js';
import { type CountedRequest, RequestLimits } from '../infrastructure/rate-limit/request-limits.js';
import { RequestTurns } from '../infrastructure/rate-limit/request-turns.js';
import { RequestCounter } from '../tenants/usage/request-counter.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { presentedKey, type PresentedKey } from './api-keys/key-format.js';
import type { FoundSession } from './api-keys/sessions.repository.js';
import { AssistantGrantsService } from './assistants/assistant-grants.service.js';
import { challengeFor, resourceAt } from './assistants/oauth-addresses.js';
import { OwnCalls } from './assistants/own-calls.js';
import { SessionsService } from './sessions/sessions.service.js';
import { REQUIRED_SCOPE } from '../http/request/scope.decorator.js';
import { allows, type Scope } from '../http/request/scope.js';
import { InactiveWorkspaces } from '../tenants/workspaces/inactive-workspaces.js';

/**
 * Authenticates, rate-limits and authorises every request that is not public, and waits for its turn, before its body
 * is read. Throws 400, 401, 403 or 429 problems and sets `request.caller`.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly sessions: SessionsService,
    private readonly limits: RequestLimits,
    private readonly turns: RequestTurns,
    private readonly requests: RequestCounter,
    private readonly inactive: InactiveWorkspaces,
    private readonly rowSecurity: RowSecurity,
    private readonly assistants: AssistantGrantsService,
    private readonly ownCalls: OwnCalls,
    private readonly reflector: Reflector,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets)) return true;

    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    // Shared caches tell callers apart by Authorization only, but keys are sent in another header.
    response.set('Cache-Control', 'private, no-cache');
    const presented = keyOf(request);
    const counting = presented === null ? undefined : this.countKnown(presented);
    const isForAssistants =
      this.reflector.getAllAndOverride<boolean | undefined>(ASSISTANTS, targets) === true;
    const { key, session } = await this.limits
      .limitFailures(addressOf(request), () => this.authenticate(request, presented, isForAssistants))
      .catch((error: unknown) => {
        if (isForAssistants)
          response.set('WWW-Authenticate', challengeFor(request, this.environment.PUBLIC_URL));
        throw error;
      });
    await this.limits.enforce(key.id, response, 'This API key', counting);
    await this.countForWorkspace(key.workspaceId);
    requireOwnPath(request, key.workspaceId);
    this.inactive.requireActive(key.workspaceId);
    const needed =
      this.reflector.getAllAndOverride<Scope | undefined>(REQUIRED_SCOPE, targets) ??
      (changesNothing(request) ? 'read' : 'write');
    if (!allows(key.scopes, needed))
      throw new Problem('insufficient_scope', `This operation needs an API key with the "${needed}" scope.`);

    const { workspaceId, id: keyId, keyPrefix, email, scopes, expiresAt } = key;
    const mayWrite = allows(scopes, 'write');
    request.caller = {
      ...{ workspaceId, keyId, keyPrefix, email, scopes, mayWrite, expiresAt, session },
      isStillValid: () => this.sessions.isStillValid(workspaceId, keyId, session?.id ?? null),
    };
    await this.turns.enter(workspaceId, response);
    await this.apiKeys.recordUse(key);
    if (session !== null) await this.sessions.recordUse(session);
    this.rowSecurity.enter(workspaceId);
    return true;
  }

  /** Counts a request of a workspace, whichever its key. Throws 429 while the workspace is at its limit. */
  private async countForWorkspace(workspaceId: string): Promise<void> {
    const seconds = this.requests.secondsToWait(workspaceId);
    if (seconds > 0)
      await this.limits.refuse(
        workspaceId,
        `The keys of this workspace have together reached its limit of ${this.requests.limit} requests per minute. Wait the number of seconds in Retry-After.`,
        seconds,
      );
    this.requests.count(workspaceId);
  }

  /**
   * Begins to count a request whose key has been used in this process before. Otherwise the count would have to wait
   * until the key is read; undefined then.
   */
  private countKnown(presented: PresentedKey): Promise<CountedRequest> | undefined {
    const id = this.apiKeys.knownId(presented);
    if (id === undefined) return undefined;
    const counting = this.limits.countRequest(id);
    // The count is not awaited if the key is refused.
    counting.catch(() => undefined);
    return counting;
  }

  private async authenticate(
    request: AuthenticatedRequest,
    presented: PresentedKey | null,
    isForAssistants: boolean,
  ): Promise<Pick<FoundSession, 'key'> & { session: FoundSession['session'] | null }> {
    if (presented !== null) return { key: await this.apiKeys.authenticate(presented), session: null };
    const token = accessTokenOf(request);
    if (token !== null && this.ownCalls.isOwn(request)) return this.assistants.authenticate(token, null);
    if (token !== null && isForAssistants)
      return this.assistants.authenticate(
        token,
        resourceAt(ownAddress(request, this.environment.PUBLIC_URL)),
      );
    const session = readCookie(request, SESSION_COOKIE);
    if (session === null) throw new Problem('missing_api_key', 'Send an API key in the X-API-Key header.');
    requireSameOrigin(request);
    return this.sessions.authenticate(session);
  }
}

/**
 * Rejects a path that names a workspace other than the key's. A path without a workspace, or with
 * {@link OWN_WORKSPACE}, means the key's own.
 */
function requireOwnPath(request: AuthenticatedRequest, ownId: string): void {
  const named = request.params.workspace_id;
  if (named === undefined || named === OWN_WORKSPACE) return;
  if (requireId('workspace', String(named), 'workspace_id') !== ownId)
    throw new Problem('workspace_mismatch', 'This API key belongs to another workspace.');
}

/** The access token of an assistant; null without one. */
const accessTokenOf = (request: AuthenticatedRequest): string | null =>
  /^Bearer\s+(rpa_\S+)$/i.exec(request.header('authorization') ?? '')?.[1] ?? null;

/** The key in `X-API-Key`; without that header, a bearer token in the format of a key; otherwise null. */
function keyOf(request: AuthenticatedRequest): PresentedKey | null {
  const header = request.header('x-api-key');
  if (header !== undefined && header !== '') return presentedKey(header);
  const bearer = /^Bearer\s+(rp_\S+)$/i.exec(request.header('authorization') ?? '');
  return bearer === null ? null : presentedKey(bearer[1]!);
}
