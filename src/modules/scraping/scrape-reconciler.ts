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
  private running: Promise<void> | null = null;
  private isWantedAgain = false;

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

  /**
   * Resolves when a round that began after the call is over. Calls during a round share the one after it, so that a slot
   * that gets free meanwhile is not left to the next tick. Never throws.
   */
  reconcile(): Promise<void> {
    if (this.running) this.isWantedAgain = true;
    return (this.running ??= this.rounds());
  }

  private async rounds(): Promise<void> {
    do {
      this.isWantedAgain = false;
      await this.round();
    } while (this.isWantedAgain);
    this.running = null;
  }

  private async round(): Promise<void> {
    try {
      for (const { workspaceId, id, leaseEnd } of await this.runs.orphans(JOBS_AT_ONCE))
        // A dead worker may still hold the entry of its own run: that of the next run has another name.
        if (!(await this.queue.enqueue(workspaceId, id, leaseEnd === null ? id : `${id}@${leaseEnd}`)))
          return;
    } catch (error) {
      this.logger.warn({ err: error }, 'jobs not reconciled');
    }
  }
}
