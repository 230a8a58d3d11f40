import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { Platforms } from '../../platforms/platforms.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { WorkspacesRepository } from '../../tenants/workspaces/workspaces.repository.js';
import { ContentRechecker } from './content-rechecker.js';
import { ContentRechecksRepository } from './content-rechecks.repository.js';

const POLL_MS = 60_000;
/** A batch that has not obtained its requests from the budget by then is repeated later. */
const BATCH_TIMEOUT_MS = 9 * 60_000;
const LEASE_MS = 10 * 60_000;
const RETRY_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 5_000;
const WORKSPACES_AT_ONCE = 1_000;
/**
 * Time between passes as a share of the interval. The rest is left for the pass itself, so that no row waits longer
 * than the interval.
 */
const SHARE_BETWEEN_PASSES = 0.9;

/**
 * Rechecks stored content every `RECHECK_DELETED_HOURS`, batch by batch: one batch at a time per process, alternating
 * between workspaces, using only the request budget that jobs leave.
 */
@Injectable()
export class RecheckWorker extends RepeatedWork {
  private readonly intervalMs: number;

  constructor(
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'RECHECK_DELETED_HOURS'>,
    private readonly platforms: Platforms,
    private readonly workspaces: WorkspacesRepository,
    private readonly inactive: InactiveWorkspaces,
    private readonly rechecks: ContentRechecksRepository,
    private readonly rechecker: ContentRechecker,
    private readonly clock: DatabaseClock,
  ) {
    super(POLL_MS, 'content recheck failed');
    this.intervalMs = environment.RECHECK_DELETED_HOURS * 3_600_000 * SHARE_BETWEEN_PASSES;
  }

  override onApplicationBootstrap(): void {
    if (this.intervalMs > 0) this.loop.wake();
  }

  /** Executes the longest-overdue batch. Returns false when none is due. */
  async checkNext(): Promise<boolean> {
    const lookups = this.platforms.lookups();
    const now = await this.clock.now();
    const recheck = await this.rechecks.claim([...lookups.keys()], this.inactive.ids, {
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
    });
    if (recheck === null) return false;
    const { workspaceId, source, kind } = recheck;
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(BATCH_TIMEOUT_MS)]);
    try {
      await this.rechecker.check(recheck, lookups.get(source)!, { now, intervalMs: this.intervalMs }, signal);
    } catch (error) {
      const delayMs = this.stopping.signal.aborted ? 0 : RETRY_MS;
      await this.rechecks.postpone(workspaceId, { source, kind }, new Date(now.getTime() + delayMs));
      if (!this.stopping.signal.aborted)
        this.logger.warn({ err: error, workspaceId, source, kind, delayMs }, 'content recheck postponed');
    }
    return true;
  }

  /** Adds new workspaces. Their content was just scraped, so the first recheck is due after one interval. */
  async addWorkspaces(): Promise<void> {
    const sources = [...this.platforms.lookups().keys()];
    const dueAt = new Date((await this.clock.now()).getTime() + this.intervalMs);
    for (let after: string | null = null; ;) {
      const ids: string[] = await this.workspaces.listIds(after, WORKSPACES_AT_ONCE);
      await this.rechecks.addMissing(ids, sources, dueAt);
      if (ids.length < WORKSPACES_AT_ONCE) return;
      after = ids.at(-1)!;
    }
  }

  /** Pauses after each batch for as long as the batch took, so that jobs get half of the process's time. */
  override async work(): Promise<boolean> {
    const startedAt = performance.now();
    if (!(await this.checkNext())) {
      await this.addWorkspaces();
      return false;
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, performance.now() - startedAt);
    await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    return true;
  }
}
