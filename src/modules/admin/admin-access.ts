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
 * Who has the operator's `ADMIN_TOKEN`: a request with it as bearer token, or with the cookie of a session. A session is its
 * end, signed with the token: it needs no table, and all sessions end when the token changes.
 */
@Injectable()
export class AdminAccess {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly limits: RequestLimits,
    private readonly clock: Clock,
  ) {}

  /** Throws 404 without a configured token, 401 for a missing or wrong one, 403 for a page of another host, 429. */
  async authenticate(request: Request): Promise<void> {
    const bearer = /^Bearer\s+(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
    if (bearer === undefined && this.sessionEnd(request) !== null) return requireSameOrigin(request);
    await this.requireToken(request, bearer);
  }

  /** Throws as {@link authenticate} does unless this is the token. */
  async requireToken(request: Request, given: string | undefined): Promise<void> {
    const token = this.configuredToken(request);
    if (given !== undefined && isSame(given, token)) return;
    await this.limits.countFailure(addressOf(request));
    throw given === undefined
      ? new Problem('missing_admin_token', 'Send the admin token in the Authorization header: Bearer TOKEN.')
      : new Problem('invalid_admin_token', 'Unknown admin token.');
  }

  /** Throws 404, as at an unknown address, when the service has no admin token. */
  configuredToken(request: Request): string {
    const { ADMIN_TOKEN: token } = this.environment;
    if (token !== undefined) return token;
    throw Problem.noRoute(request.method, pathOf(request));
  }

  /** The value of a new session's cookie. */
  newSession(): string {
    const end = String(this.clock.now().getTime() + SESSION_MS);
    return `${end}.${this.sign(end)}`;
  }

  /** When the session of the request's cookie ends; null without a valid one. */
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

/** Compares digests, which have one length, in a time that depends on neither text. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
