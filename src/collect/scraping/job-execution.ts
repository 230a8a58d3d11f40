import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { Clock } from '../../common/clock.js';
import type { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import type { PlatformSession } from '../../platforms/platform.js';
import type { Job } from '../jobs/job.entity.js';
import type { JobProgress, WaitingForDto } from '../jobs/dto/job-progress.dto.js';
import { isSmall } from '../jobs/job-turns.repository.js';
import { JobWaits } from './job-waits.js';
import { ExecutionLog } from './log/execution-log.js';
import { StepTimings } from './step-timings.js';

/** Contents of a claim of a job. */
export interface Lease {
  /** Unique to this claim; every write is fenced by it. */
  owner: string;
  /** Number of claims since the job last stored a batch, including this one. */
  attempts: number;
  /** Number of workers in a row that lost their lease without storing a batch. */
  workerDeaths: number;
  /** As stored, not yet parsed. */
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
  /**
   * Database time, extrapolated from the claim with this process's clock, so that all times stored for the job come
   * from one clock.
   */
  readonly clock: Clock;
  /** Why the latest medium was left out; if none was, why a video was stored without its sound. */
  mediaFailedReason: string | null = null;
  readonly log: ExecutionLog;
  readonly waits = new JobWaits();
  /** The id of the post whose comments the running code reads, which its entries in the log name. */
  readonly walked = new AsyncLocalStorage<string>();
  /** Name of the platform that serves the job; null until it is known. */
  source: string | null = null;
  /** As in the progress. */
  gap: number;
  /** The remaining work, added to the progress while the execution runs. */
  remaining: () => JobProgress = () => ({});
  private requests: number;
  private postsMissing: number;
  private shownWait: WaitingForDto | null = null;
  private readonly aborter = new AbortController();

  constructor(
    readonly job: Job,
    readonly lease: Lease,
    readonly plugins: PluginRunner,
    processClock: Clock,
  ) {
    const offset = lease.claimedAt.getTime() - processClock.now().getTime();
    this.clock = { now: () => new Date(processClock.now().getTime() + offset) };
    this.log = new ExecutionLog(job.workspaceId, job.id, this.clock);
    this.requests = job.progress.requests ?? 0;
    this.postsMissing = job.progress.posts_missing ?? 0;
    this.gap = job.progress.gap ?? 0;
    plugins.onFailure = (plugin, message) =>
      this.log.add('warn', 'plugin_failed', `The plugin ${plugin} failed: ${message}`, { plugin });
    // Every request and wait of the execution listens to this signal.
    setMaxListeners(0, this.aborter.signal);
    this.session = {
      signal: this.aborter.signal,
      workspaceId: job.workspaceId,
      priority: isSmall(job) ? 'high' : 'normal',
      onRequest: () => void (this.requests += 1),
      onBudgetWait: (milliseconds) => this.timings.add('budget', milliseconds),
      onWait: (wait) => this.waits.begin(wait),
      onUnread: (count, reason) => {
        this.postsMissing += count;
        this.log.add('warn', 'posts_not_read', reason, { missing: count });
      },
      onSuccess: () => this.waits.succeeded(),
      onRetry: ({ what, cause, delayMs }) => {
        const post = this.walked.getStore();
        this.log.add('warn', 'request_repeated', `The request for ${what} failed and is retried (${cause})`, {
          request: what,
          cause,
          delay_ms: delayMs,
          ...(post !== undefined && { post_id: post }),
        });
      },
    };
  }

  /** The part of the progress that batches do not count and that remains when the job ends. */
  get progress(): JobProgress {
    const { errors } = this.plugins;
    const { source, requests, postsMissing } = this;
    return {
      ...(source !== null && { source }),
      requests,
      ...(postsMissing > 0 && { posts_missing: postsMissing }),
      ...(this.gap > 0 && { gap: this.gap }),
      ...(errors.length > 0 && { plugin_errors: errors }),
      ...(this.mediaFailedReason !== null && { media_failed_reason: this.mediaFailedReason }),
    };
  }

  /**
   * The progress, the remaining work and the current wait, as stored with every heartbeat. Logs when a wait begins or
   * ends.
   */
  currentProgress(): JobProgress {
    const wait = this.waits.current;
    if (wait !== null && wait.reason !== this.shownWait?.reason)
      this.log.add('info', 'waiting', wait.cause, { reason: wait.reason, until: wait.until });
    else if (wait === null && this.shownWait !== null) this.log.add('info', 'went_on', 'The job continues');
    this.shownWait = wait;
    return { ...this.progress, ...this.remaining(), ...(wait !== null && { waiting_for: wait }) };
  }

  /** Aborts when the execution has to stop. */
  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** Stops all parts of the execution. Only the first reason given counts. */
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

/**
 * The workspace was suspended or is being deleted. The execution resumes from its checkpoint when the workspace is
 * active again.
 */
export class WorkspaceSuspended extends Error {
  constructor() {
    super('The workspace is suspended');
  }
}

/** This process is stopping: another worker continues the job. */
export class WorkerStopping extends Error {
  constructor() {
    super('The worker is stopping');
  }
}
