import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import { ConcurrencyQuotas } from './concurrency-quotas.js';
import type { ConcurrencyQuota } from '../../config/quotas.js';

const CONCURRENCY = 'concurrency-quota';

/** Counts requests of an operation towards a concurrency quota until their response is closed. */
export const LimitConcurrency = (quota: ConcurrencyQuota): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(CONCURRENCY, quota), ApiProblems('too_many_concurrent_requests'));

/**
 * Rejects requests beyond the quota of {@link LimitConcurrency}. A guard rather than an interceptor, because the
 * headers of an event stream are sent before later stages could reject it. Runs after the API key guard.
 */
@Injectable()
export class ConcurrencyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly concurrency: ConcurrencyQuotas,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const quota = this.reflector.get<ConcurrencyQuota | undefined>(CONCURRENCY, context.getHandler());
    return quota === undefined || this.enter(context, quota);
  }

  private async enter(context: ExecutionContext, quota: ConcurrencyQuota): Promise<boolean> {
    const http = context.switchToHttp();
    const leave = await this.concurrency.enter(
      http.getRequest<AuthenticatedRequest>().caller.workspaceId,
      quota,
    );
    const response = http.getResponse<Response>();
    // If the client disconnected during the wait, no further `close` event follows.
    if (response.destroyed) leave();
    else response.once('close', leave);
    return true;
  }
}
