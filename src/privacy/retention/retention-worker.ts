import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { WorkspacesRepository } from '../../tenants/workspaces/workspaces.repository.js';
import { type ExpiredRows, Expiries } from '../../tenants/ports/expiries.js';
import { RetentionMetrics } from './retention-metrics.js';

/** Maximum delay until a changed `retention_days` takes effect. */
const POLL_MS = 60_000;
/** Time from the end of one pass over a workspace's rows of one kind to the start of the next. */
const PASS_INTERVAL_MS = 3_600_000;
const LONGEST_PAUSE_MS = 1_000;
const DAY_MS = 86_400_000;

/** A pass over a workspace's rows of one kind. */
interface Pass extends ExpiredRows {
  key: string;
  deleted: number;
}

/**
 * Deletes data older than its workspace's `retention_days`, once an hour and within a minute of a change: batch by
 * batch, alternating between workspaces and kinds, with a pause after each batch for as long as it took. Several
 * schedulers may do this at the same time. Suspended workspaces are included, because their data keeps aging.
 */
@Injectable()
export class RetentionWorker extends RepeatedWork {
  private passes: Pass[] = [];
  /** End of the last pass in milliseconds of the process's clock, by workspace, kind and days. */
  private ended = new Map<string, number>();

  constructor(
    @Inject(WorkspacesRepository) private readonly workspaces: Pick<WorkspacesRepository, 'listRetaining'>,
    @Inject(Expiries) private readonly expiries: Pick<Expiries, 'delete'>,
    private readonly clock: DatabaseClock,
    @Inject(RetentionMetrics) private readonly metrics: Pick<RetentionMetrics, 'count'>,
  ) {
    super(POLL_MS, 'deleting expired data failed', 'error');
  }

  /** Deletes one batch for every pass in progress. Returns whether there may be more to delete. */
  override async work(): Promise<boolean> {
    this.passes = await this.duePasses();
    for (const pass of [...this.passes]) {
      if (this.stopping.signal.aborted) return false;
      const startedAt = performance.now();
      if (await this.deleteBatch(pass))
        await sleep(Math.min(LONGEST_PAUSE_MS, performance.now() - startedAt));
      else this.end(pass);
    }
    return this.passes.length > 0;
  }

  /**
   * The passes in progress and those that start now. A pass ends early when its days are changed or removed, so that an
   * operator who corrects a setting in time keeps the remaining data.
   */
  private async duePasses(): Promise<Pass[]> {
    const running = new Map(this.passes.map((pass) => [pass.key, pass]));
    const retaining = await this.workspaces.listRetaining();
    const now = await this.clock.now();
    const passes = retaining.map(({ workspaceId, kind, days }): Pass => {
      const key = `${workspaceId} ${kind} ${days}`;
      const before = new Date(now.getTime() - days * DAY_MS);
      return running.get(key) ?? { key, workspaceId, kind, before, after: null, deleted: 0 };
    });
    this.ended = new Map(
      passes.flatMap(({ key }) => (this.ended.has(key) ? [[key, this.ended.get(key)!] as const] : [])),
    );
    return passes.filter(
      ({ key }) =>
        running.has(key) || performance.now() - (this.ended.get(key) ?? -Infinity) >= PASS_INTERVAL_MS,
    );
  }

  /** Returns whether the pass continues. A failed pass restarts in an hour, so that it does not hold up the others. */
  private async deleteBatch(pass: Pass): Promise<boolean> {
    try {
      const { deleted, isMore, after } = await this.expiries.delete(pass);
      this.metrics.count(pass.kind, deleted);
      pass.deleted += deleted;
      pass.after = after;
      return isMore;
    } catch (error) {
      const { workspaceId, kind } = pass;
      this.logger.error({ err: error, workspaceId, kind }, 'deleting expired data failed');
      return false;
    }
  }

  private end(pass: Pass): void {
    this.passes = this.passes.filter((other) => other !== pass);
    this.ended.set(pass.key, performance.now());
    const { workspaceId, kind, deleted } = pass;
    if (deleted > 0) this.logger.log({ workspaceId, kind, deleted }, 'expired data deleted');
  }
}
