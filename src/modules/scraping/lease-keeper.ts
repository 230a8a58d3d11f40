import { Logger } from '@nestjs/common';
import type { JobRunsRepository } from '../jobs/job-runs.repository.js';
import { LeaseLost } from './run-errors.js';
import type { ScrapeRun } from './scrape-run.js';

/** A killed worker's job is free for others after this. */
export const LEASE_MS = 10_000;
/** How often a run shows its progress, and how late it hears that it was cancelled. */
const HEARTBEAT_MS = 1_000;

/** Holds a run's lease until it is stopped; stops the run when the lease is lost. */
export class LeaseKeeper {
  private readonly logger = new Logger(LeaseKeeper.name);
  private readonly timer: NodeJS.Timeout;
  private beating = false;

  constructor(
    private readonly run: ScrapeRun,
    private readonly runs: JobRunsRepository,
  ) {
    this.timer = setInterval(() => void this.beat(), HEARTBEAT_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    const { job, owner, progress } = this.run;
    try {
      if (!(await this.runs.heartbeat(job.workspaceId, job.id, owner, LEASE_MS, progress)))
        this.run.abort(new LeaseLost());
    } catch (error) {
      // Nothing can be stored meanwhile either, and every batch checks the lease itself.
      this.logger.warn({ err: error, jobId: job.id }, 'heartbeat failed');
    } finally {
      this.beating = false;
    }
  }
}
