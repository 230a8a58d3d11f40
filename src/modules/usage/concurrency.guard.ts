import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Problem } from '../../http/problem.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import type { AuthenticatedRequest } from '../../http/request.js';
import type { ConcurrencyQuota } from './quota.js';
import { QuotasService } from './quotas.service.js';

const CONCURRENCY = 'concurrency-quota';
const RETRY_AFTER_SECONDS = '1';

/** Counts requests of an operation towards a concurrency quota from their start to the end of their response. */
export const LimitConcurrency = (quota: ConcurrencyQuota): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(CONCURRENCY, quota), ApiProblems('too_many_concurrent_requests'));

/** What each workspace does at the moment in this process. */
@Injectable()
export class ConcurrencyCounts {
  private readonly running = new Map<string, number>();

  /** Requests in progress. */
  of(workspaceId: string, quota: ConcurrencyQuota): number {
    return this.running.get(`${workspaceId} ${quota}`) ?? 0;
  }

  /** Adds `change`, 1 or -1. */
  add(workspaceId: string, quota: ConcurrencyQuota, change: number): void {
    const key = `${workspaceId} ${quota}`;
    const count = this.of(workspaceId, quota) + change;
    if (count > 0) this.running.set(key, count);
    else this.running.delete(key);
  }
}

/**
 * Refuses requests beyond a concurrency quota with 429 at once. A guard, because the head of an event stream is sent before
 * later stages could refuse. Runs after the API key guard.
 */
@Injectable()
export class ConcurrencyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly quotas: QuotasService,
    private readonly counts: ConcurrencyCounts,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const quota = this.reflector.get<ConcurrencyQuota | undefined>(CONCURRENCY, context.getHandler());
    if (quota === undefined) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { workspaceId } = request.caller;
    const limit = await this.quotas.limit(workspaceId, quota);
    if (limit !== 0 && this.counts.of(workspaceId, quota) >= limit) {
      this.quotas.refusals.inc({ quota });
      throw new Problem(
        'too_many_concurrent_requests',
        `The quota ${quota} is exceeded: limit ${limit}, used ${limit}. Wait for a running request to end.`,
        { headers: { 'Retry-After': RETRY_AFTER_SECONDS }, members: { quota, limit, used: limit } },
      );
    }
    this.counts.add(workspaceId, quota, 1);
    context
      .switchToHttp()
      .getResponse<Response>()
      .once('close', () => this.counts.add(workspaceId, quota, -1));
    return true;
  }
}
