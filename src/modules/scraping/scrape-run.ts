import { setMaxListeners } from 'node:events';
import type { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import type { PlatformSession } from '../../platforms/platform.js';
import type { Job, JobProgress } from '../jobs/job.entity.js';
import { isSmall } from '../jobs/job-runs.repository.js';
import { START, type WalkPosition } from './listing-plan.js';
import { StepTimings } from './step-timings.js';

/** One worker's hold on one job: who it is, what it heard, and how all its parts are stopped. */
export class ScrapeRun {
  readonly session: PlatformSession;
  readonly timings = new StepTimings();
  plugins: PluginRunner | null = null;
  private requests: number;
  /** A batch was stored: whatever went wrong before is overcome. */
  hasStored = false;
  /** Bytes of media that the job downloaded, in this run and those before. */
  mediaBytes = 0;
  private readonly aborter = new AbortController();

  constructor(
    readonly job: Job,
    readonly owner: string,
  ) {
    this.requests = job.progress.requests ?? 0;
    // Every request and wait of the run listens to it.
    setMaxListeners(0, this.aborter.signal);
    this.session = {
      signal: this.aborter.signal,
      workspaceId: job.workspaceId,
      priority: isSmall(job) ? 'high' : 'normal',
      onRequest: () => void (this.requests += 1),
      onBudgetWait: (milliseconds) => this.timings.add('budget', milliseconds),
    };
  }

  /** Shown with every heartbeat; what batches count is not in here. */
  get progress(): JobProgress {
    const errors = this.plugins?.errors ?? [];
    return { requests: this.requests, ...(errors.length > 0 && { plugin_errors: errors }) };
  }

  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** Where the walk begins or goes on. */
  get startPosition(): WalkPosition {
    return (this.job.checkpoint as WalkPosition | null) ?? START;
  }

  /** Stops everything under way; the first reason given is what the run ends with. */
  abort(reason: Error): void {
    this.aborter.abort(reason);
  }

  /** Runs parts of the work together. The first failure stops the others; it is thrown when all have stopped. */
  async together(parts: readonly Promise<void>[]): Promise<void> {
    const guarded = parts.map((part) =>
      part.catch((error: unknown) => {
        this.abort(error instanceof Error ? error : new Error(String(error)));
      }),
    );
    await Promise.all(guarded);
    this.signal.throwIfAborted();
  }
}
