import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problems/problem.js';
import { addressOf, type AuthenticatedRequest, pathOf } from '../../http/request/request.js';
import {
  ADMIN_SESSION_COOKIE,
  IDLE_MS,
  readCookie,
  requireSameOrigin,
  SESSION_MS,
} from '../../http/request/session-cookie.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import type { Person } from '../api-keys/members.repository.js';
import { AuditService } from '../audit/audit.service.js';
import type { AdminSession } from './admin-session.entity.js';
import { AdminSessionsRepository } from './admin-sessions.repository.js';
import { Operators } from './operators.js';

const TOKEN_BYTES = 32;
/** Resolution of `last_used_at`. */
const LAST_USED_RESOLUTION_MS = 60_000;
const FORBIDDEN = 403;

/**
 * Checks that a request carries the operator's `ADMIN_TOKEN`, as bearer token or through a session cookie. Sessions are
 * rows, so that signing out ends them everywhere; changing the token ends all of them, and an operator who is removed from
 * the environment has none.
 */
@Injectable()
export class AdminAccess {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly limits: RequestLimits,
    private readonly sessions: AdminSessionsRepository,
    private readonly operators: Operators,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws 404 if no token is configured, 401 if it is missing or wrong, 403 if the request comes from a page of
   * another host, 429 after too many failures.
   */
  async authenticate(request: Request): Promise<void> {
    const bearer = /^Bearer\s+(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
    const session = bearer === undefined ? await this.session(request) : null;
    if (session === null) return this.requireToken(request, bearer);
    requireSameOrigin(request);
    (request as AuthenticatedRequest).operator = session.operator;
    const now = this.clock.now();
    const fresh = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
    if (session.lastUsedAt < fresh) await this.sessions.touch(session.tokenHash, now, fresh);
  }

  /** Throws like {@link authenticate} unless `given` is the admin token. */
  async requireToken(request: Request, given: string | undefined): Promise<void> {
    const token = this.configuredToken(request);
    if (given !== undefined && timingSafeEqual(hashOf(given), hashOf(token))) return;
    const problem =
      given === undefined
        ? new Problem(
            'missing_admin_token',
            'Send the admin token in the Authorization header: Bearer TOKEN.',
          )
        : new Problem('invalid_admin_token', 'Unknown admin token.');
    await this.limits.countFailure(addressOf(request), problem);
    throw problem;
  }

  /** Throws the same 404 as an unknown route when the service has no admin token. */
  configuredToken(request: Request): string {
    const { ADMIN_TOKEN: token } = this.environment;
    if (token !== undefined) return token;
    throw Problem.noRoute(request.method, pathOf(request));
  }

  /**
   * Starts a session, of the operator with this address if one signed in with an account; returns the cookie value, of
   * which only the hash is stored.
   */
  async begin(request: Request, operator: string | null = null): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.clock.now();
    await this.sessions.insert({
      tokenHash: hashOf(token),
      adminTokenHash: hashOf(this.configuredToken(request)),
      operator,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + SESSION_MS),
    });
    return token;
  }

  /**
   * Starts the session of an operator who signed in with an account; returns the cookie value, null for a person who is none.
   * The first account with an operator's address is the operator; the sign-in of another one is recorded in the audit
   * log.
   */
  async beginWithAccount(request: AuthenticatedRequest, person: Person): Promise<string | null> {
    if (!this.operators.has(person.email)) return null;
    if (await this.operators.bind(person)) return this.begin(request, person.email);
    await this.audit.record(
      {
        actor: 'anonymous',
        actorName: null,
        ip: addressOf(request),
        action: 'authenticate',
        targetWorkspaceId: null,
        resource: { reason: 'other_account', operator: person.email },
        fields: [],
        requestId: request.id,
      },
      FORBIDDEN,
    );
    return null;
  }

  /** Ends the session of the request, if it has one. */
  async end(request: Request): Promise<void> {
    const cookie = readCookie(request, ADMIN_SESSION_COOKIE);
    if (cookie !== null) await this.sessions.delete(hashOf(cookie));
  }

  /** The session of the request's cookie; null without a valid one. */
  async session(request: Request): Promise<AdminSession | null> {
    const cookie = readCookie(request, ADMIN_SESSION_COOKIE);
    const { ADMIN_TOKEN: token } = this.environment;
    if (cookie === null || token === undefined) return null;
    const now = this.clock.now();
    const session = await this.sessions.find(
      { tokenHash: hashOf(cookie), adminTokenHash: hashOf(token) },
      now,
      new Date(now.getTime() - IDLE_MS),
    );
    const operator = session?.operator ?? null;
    return operator === null || this.operators.has(operator) ? session : null;
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
