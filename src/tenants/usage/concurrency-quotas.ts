import { Injectable } from '@nestjs/common';
import { FairTurns, NoTurnError } from '../../common/fair-turns.js';
import { type ConcurrencyQuota, QUOTAS } from '../../config/quotas.js';
import { QuotasService } from './quotas.service.js';

const WAITERS = { total: 10_000, perTenant: 100 };
const RETRY_AFTER_SECONDS = '1';

/** Limits how many searches, event streams and exports each workspace runs concurrently in this process. */
@Injectable()
export class ConcurrencyQuotas {
  private readonly turns = new Map(
    QUOTAS.all
      .filter(({ kind }) => kind === 'concurrency')
      .map(({ name }) => [name, new FairTurns({ running: () => Infinity, waiting: WAITERS })]),
  );

  constructor(private readonly quotas: QuotasService) {}

  /** Number of requests in progress. */
  used(workspaceId: string, quota: string): number {
    return this.turns.get(quota)!.runningOf(workspaceId);
  }

  /**
   * Counts a request towards a quota until the returned function is called, which must happen exactly once. Waits up to
   * a second for a free slot. Throws 429 `too_many_concurrent_requests` if none becomes free, and the signal's reason
   * when it aborts.
   */
  async enter(workspaceId: string, quota: ConcurrencyQuota, signal?: AbortSignal): Promise<() => void> {
    // The first request always fits, so its limit is not read.
    const limit = this.used(workspaceId, quota) === 0 ? 1 : await this.quotas.limit(workspaceId, quota);
    try {
      return await this.turns.get(quota)!.take(workspaceId, {
        atMost: () => limit || Infinity,
        waitMs: QUOTAS.get(quota).waitMs ?? 0,
        signal,
      });
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error;
      throw this.quotas.refusal(
        'too_many_concurrent_requests',
        { quota, limit, used: this.used(workspaceId, quota) },
        'Wait until a running request ends, then retry.',
        { 'Retry-After': RETRY_AFTER_SECONDS },
      );
    }
  }
}
