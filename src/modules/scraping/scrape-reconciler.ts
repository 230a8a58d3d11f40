import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { JobQueue } from '../jobs/job-queue.js';
import { JobRunsRepository } from '../jobs/job-runs.repository.js';

const INTERVAL_MS = 5_000;
const JOBS_AT_ONCE = 200;

/** Puts every job that no worker has back on the queue: what a wiped Redis or a dead worker lost is found in Postgres. */
@Injectable()
export class ScrapeReconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ScrapeReconciler.name);
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;

  constructor(
    private readonly runs: JobRunsRepository,
    private readonly queue: JobQueue,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.reconcile(), INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Does nothing while it is under way. Never throws. */
  async reconcile(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (const { workspaceId, id, leaseEnd } of await this.runs.orphans(JOBS_AT_ONCE))
        // A dead worker may still hold the entry of its own run: that of the next run has another name.
        if (!(await this.queue.enqueue(workspaceId, id, leaseEnd === null ? id : `${id}@${leaseEnd}`)))
          return;
    } catch (error) {
      this.logger.warn({ err: error }, 'jobs not reconciled');
    } finally {
      this.isRunning = false;
    }
  }
}
