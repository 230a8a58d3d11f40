import { setMaxListeners } from 'node:events';
import { Clock } from '../../common/clock.js';
import type { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import type { PlatformSession } from '../../platforms/platform.js';
import type { Job, JobProgress } from '../jobs/job.entity.js';
import { isSmall } from '../jobs/job-turns.repository.js';
import { StepTimings } from './step-timings.js';

/** What a worker was given with a job. */
export interface Lease {
  /** Names this claim alone: it fences every write. */
  owner: string;
  /** Claims since the job last stored a batch, this one included. */
  attempts: number;
  /** As stored; not yet parsed. */
  checkpoint: unknown;
  /** Version of the workspace's phrase frequencies that the job reads; 0 for none. */
  keywordsVersion: number;
  /** Database time at the claim. */
  claimedAt: Date;
}

/** One attempt of this process to execute a job, under a lease. */
export class JobExecution {
  readonly session: PlatformSession;
  readonly timings = new StepTimings();
  /** Database time, as this process's clock continues it from the claim: times stored for the job are of one clock. */
  readonly clock: Clock;
  /** Why the latest medium was left out. */
  mediaFailedReason: string | null = null;
  /** Name of the platform that serves the job; null until it is known. */
  source: string | null = null;
  private requests: number;
  private readonly aborter = new AbortController();

  constructor(
    readonly job: Job,
    readonly lease: Lease,
    readonly plugins: PluginRunner,
    processClock: Clock,
  ) {
    const offset = lease.claimedAt.getTime() - processClock.now().getTime();
    this.clock = { now: () => new Date(processClock.now().getTime() + offset) };
    this.requests = job.progress.requests ?? 0;
    // Every request and wait of the execution listens to it.
    setMaxListeners(0, this.aborter.signal);
    this.session = {
      signal: this.aborter.signal,
      workspaceId: job.workspaceId,
      priority: isSmall(job) ? 'high' : 'normal',
      onRequest: () => void (this.requests += 1),
      onBudgetWait: (milliseconds) => this.timings.add('budget', milliseconds),
    };
  }

  /** Progress that batches do not count; written with every heartbeat. */
  get progress(): JobProgress {
    const { errors } = this.plugins;
    const { source, requests } = this;
    return {
      ...(source !== null && { source }),
      requests,
      ...(errors.length > 0 && { plugin_errors: errors }),
      ...(this.mediaFailedReason !== null && { media_failed_reason: this.mediaFailedReason }),
    };
  }

  /** Aborts when the execution has to stop. */
  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** Stops everything that belongs to the execution; it ends with the first reason given. */
  abort(reason: Error): void {
    this.aborter.abort(reason);
  }

  /** Waits for all parts. The first failure aborts the execution and is thrown once all parts have stopped. */
  async together(parts: readonly Promise<void>[]): Promise<void> {
    await Promise.all(
      parts.map((part) =>
        part.catch((error: unknown) => this.abort(error instanceof Error ? error : new Error(String(error)))),
      ),
    );
    this.signal.throwIfAborted();
  }
}

/** The job was cancelled or its lease was taken over: nothing more may be written for it by this execution. */
export class LeaseLost extends Error {
  constructor() {
    super('The job was cancelled or taken over');
  }
}

/** This process is stopping: another worker goes on with the job. */
export class WorkerStopping extends Error {
  constructor() {
    super('The worker is stopping');
  }
}
