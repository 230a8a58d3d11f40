import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problems/problem.js';
import { isFromOwnPage } from '../../http/request/session-cookie.js';

/**
 * Rejects requests of pages that neither belong to this service nor have an origin that the operator allows, as the
 * protocol demands ("Streamable HTTP, Security Warning"). Programs send no Origin.
 */
@Injectable()
export class OriginGuard implements CanActivate {
  private readonly allowed: ReadonlySet<string>;

  constructor(
    @Inject(ENVIRONMENT)
    { CORS_ALLOWED_ORIGINS, PUBLIC_URL }: Pick<Environment, 'CORS_ALLOWED_ORIGINS' | 'PUBLIC_URL'>,
  ) {
    const own = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).origin];
    this.allowed = new Set([...CORS_ALLOWED_ORIGINS, ...own]);
  }

  /** Throws 403 `cross_origin_request`. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const origin = request.header('origin');
    if (origin === undefined || this.allowed.has('*') || this.allowed.has(origin) || isFromOwnPage(request))
      return true;
    throw new Problem(
      'cross_origin_request',
      'Pages of this origin may not call tools. The operator can allow it in CORS_ALLOWED_ORIGINS.',
    );
  }
}
