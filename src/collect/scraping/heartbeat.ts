import { Logger } from '@nestjs/common';
import { LeaseLost } from '../../common/leased-work.js';
import { PollingLoop } from '../../common/polling-loop.js';
import type { JobProgressRepository } from '../jobs/job-progress.repository.js';
import type { JobExecution } from './job-execution.js';
import type { JobLogRepository } from './log/job-log.repository.js';
import type { JobExecutionsRepository } from './job-executions.repository.js';

/** Lease duration: after this time other workers can take over the job of a killed worker. */
export const LEASE_MS = 10_000;
/**
 * Bounds how late an execution learns that it was cancelled. Together with the polling interval of event streams it
 * also bounds the age of the displayed progress, to at most one second.
 */
const INTERVAL_MS = 700;

/**
 * Renews the lease of an execution and stores its progress and log more than once a second. Aborts the execution when the
 * lease is lost.
 */
export class Heartbeat {
  private readonly logger = new Logger(Heartbeat.name);
  private readonly loop: PollingLoop;

  constructor(
    private readonly execution: JobExecution,
    private readonly executions: Pick<JobExecutionsRepository, 'prolong'>,
    private readonly jobs: Pick<JobProgressRepository, 'addProgress'>,
    private readonly log: Pick<JobLogRepository, 'append'>,
    intervalMs = INTERVAL_MS,
  ) {
    this.loop = new PollingLoop(
      () => this.beat(),
      intervalMs,
      // Continue: without the database nothing else can be stored either, and every batch checks the lease itself.
      (error) => this.logger.warn({ err: error, jobId: execution.job.id }, 'heartbeat failed'),
    );
    this.loop.wake();
  }

  /** Stops the heartbeats after the one in progress. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async beat(): Promise<boolean> {
    const { job, lease } = this.execution;
    const progress = this.execution.currentProgress();
    const isHeld =
      (await this.executions.prolong(job.workspaceId, job.id, lease.owner, LEASE_MS)) &&
      (await this.jobs.addProgress(job.workspaceId, job.id, progress));
    if (!isHeld) this.execution.abort(new LeaseLost());
    else await this.execution.log.flush(this.log);
    return false;
  }
}
