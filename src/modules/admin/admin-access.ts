import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problem.js';
import { addressOf, pathOf } from '../../http/request.js';
import {
  ADMIN_SESSION_COOKIE,
  readCookie,
  requireSameOrigin,
  SESSION_MS,
} from '../../http/session-cookie.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';

/**
 * Checks that a request carries the operator's `ADMIN_TOKEN`, as bearer token or through a session cookie. The cookie
 * contains its expiry time, signed with the token: sessions need no table, and changing the token ends all of them.
 */
@Injectable()
export class AdminAccess {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly limits: RequestLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws 404 if no token is configured, 401 if it is missing or wrong, 403 if the request comes from a page of
   * another host, 429 after too many failures.
   */
  async authenticate(request: Request): Promise<void> {
    const bearer = /^Bearer\s+(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
    if (bearer === undefined && this.sessionEnd(request) !== null) return requireSameOrigin(request);
    await this.requireToken(request, bearer);
  }

  /** Throws like {@link authenticate} unless `given` is the admin token. */
  async requireToken(request: Request, given: string | undefined): Promise<void> {
    const token = this.configuredToken(request);
    if (given !== undefined && isSame(given, token)) return;
    await this.limits.countFailure(addressOf(request));
    throw given === undefined
      ? new Problem('missing_admin_token', 'Send the admin token in the Authorization header: Bearer TOKEN.')
      : new Problem('invalid_admin_token', 'Unknown admin token.');
  }

  /** Throws the same 404 as an unknown route when the service has no admin token. */
  configuredToken(request: Request): string {
    const { ADMIN_TOKEN: token } = this.environment;
    if (token !== undefined) return token;
    throw Problem.noRoute(request.method, pathOf(request));
  }

  /** The cookie value of a new session. */
  newSession(): string {
    const end = String(this.clock.now().getTime() + SESSION_MS);
    return `${end}.${this.sign(end)}`;
  }

  /** Expiry time of the request's session cookie; null without a valid one. */
  sessionEnd(request: Request): Date | null {
    const [end = '', signature = ''] = (readCookie(request, ADMIN_SESSION_COOKIE) ?? '').split('.');
    if (this.environment.ADMIN_TOKEN === undefined || !/^\d{1,15}$/.test(end)) return null;
    const isValid = isSame(signature, this.sign(end)) && Number(end) > this.clock.now().getTime();
    return isValid ? new Date(Number(end)) : null;
  }

  private sign(end: string): string {
    return createHmac('sha256', this.environment.ADMIN_TOKEN!).update(`session:${end}`).digest('base64url');
  }
}

/** Compares digests of equal length in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
