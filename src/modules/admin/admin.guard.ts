import { createHash, timingSafeEqual } from 'node:crypto';
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Response } from 'express';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problem.js';
import { ADMIN_EXTENSION, PUBLIC } from '../../http/public.decorator.js';
import { addressOf, type AuthenticatedRequest } from '../../http/request.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';

/** Requests with the admin token share one rate limit. */
const LIMIT_NAME = 'admin';

/**
 * Accepts requests with the operator's `ADMIN_TOKEN` as bearer token. Throws 404 when the service has no admin token, as if
 * there were no such address, 401 for a missing or wrong one, and 429.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly limits: RequestLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const { ADMIN_TOKEN: token } = this.environment;
    if (token === undefined)
      throw new Problem(
        'not_found',
        `No route matches ${request.method} ${request.originalUrl.split('?')[0]}. See /docs.`,
      );
    response.set('Cache-Control', 'private, no-store');
    const refusal = refuse(request.header('authorization'), token);
    if (refusal !== null) {
      await this.limits.countFailure(addressOf(request));
      throw refusal;
    }
    await this.limits.enforce(LIMIT_NAME, response, 'The admin token');
    request.isAdmin = true;
    return true;
  }
}

/** Marks a controller whose operations need the admin token instead of an API key. */
export const AdminOperations = (): ClassDecorator =>
  applyDecorators(SetMetadata(PUBLIC, true), UseGuards(AdminGuard), ApiExtension(ADMIN_EXTENSION, true));

function refuse(authorization: string | undefined, token: string): Problem | null {
  const given = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (given === undefined)
    return new Problem('missing_admin_token', 'Send the admin token in the header Authorization: Bearer.');
  return isSame(given, token) ? null : new Problem('invalid_admin_token', 'Unknown admin token.');
}

/** Compares digests, which have one length, in a time that depends on neither text. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
