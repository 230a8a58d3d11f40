import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { PlatformError } from '../../platforms/platform.js';
import { OutboxRepository } from '../events/outbox.repository.js';
import { JobDto } from '../jobs/dto/job.dto.js';
import type { Job } from '../jobs/job.entity.js';
import { isSmall, type JobOutcome, JobRunsRepository } from '../jobs/job-runs.repository.js';
import { LEASE_MS, LeaseKeeper } from './lease-keeper.js';
import { LeaseLost, WorkerStopping } from './run-errors.js';
import { ScrapeRun } from './scrape-run.js';
import { ScrapeWork } from './scrape-work.js';
import { WorkspaceKeywords } from './workspace-keywords.js';

/** A job that is taken up so often without storing anything in between is given up. */
const MAX_ATTEMPTS = 8;
/** Large jobs that one workspace runs at the same time; the others wait for their turn. */
const LARGE_JOBS_PER_WORKSPACE = 4;
/** Large jobs that one process runs at the same time: what is left of the processor's slots is for small ones. */
const LARGE_JOBS_PER_PROCESS = 6;
const SHUTDOWN_PATIENCE_MS = 5_000;

/** Runs one scrape job from claim to end. */
@Injectable()
export class ScrapeRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ScrapeRunner.name);
  private readonly underWay = new Map<ScrapeRun, Promise<void>>();
  private stopping = false;
  /** Claims are made one after the other, so that each knows what the ones before brought. */
  private claiming: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly work: ScrapeWork,
    private readonly runs: JobRunsRepository,
    private readonly outbox: OutboxRepository,
    private readonly transactions: RetryingTransactions,
    private readonly keywords: WorkspaceKeywords,
  ) {}

  /**
   * Returns when the job ended, was lost or given back; a failed scrape is an outcome, not an exception. False when the job
   * was not to be had: it is gone, held by another, or has to wait for its turn, for which the reconciler calls again.
   */
  async run(workspaceId: string, jobId: string): Promise<boolean> {
    const claimed = this.claiming.then(() => this.claim(workspaceId, jobId));
    this.claiming = claimed.catch(() => undefined);
    const run = await claimed;
    if (run === null) return false;
    await this.underWay.get(run);
    return true;
  }

  /** A run that has begun, or null. */
  private async claim(workspaceId: string, jobId: string): Promise<ScrapeRun | null> {
    if (this.stopping) return null;
    const owner = `${hostname()}:${process.pid}:${newId()}`;
    const large = [...this.underWay.keys()].filter(({ job }) => !isSmall(job)).length;
    const cap = large < LARGE_JOBS_PER_PROCESS ? LARGE_JOBS_PER_WORKSPACE : 0;
    const job = await this.runs.claim(workspaceId, jobId, owner, LEASE_MS, cap);
    if (job === null) return null;
    const run = new ScrapeRun(job, owner);
    this.underWay.set(
      run,
      this.complete(run).finally(() => this.underWay.delete(run)),
    );
    return run;
  }

  /** Gives running jobs back, so that other workers need not wait for their leases to end. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const run of this.underWay.keys()) run.abort(new WorkerStopping());
    const patience = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_PATIENCE_MS).unref());
    await Promise.race([Promise.allSettled(this.underWay.values()), patience]);
  }

  private async complete(run: ScrapeRun): Promise<void> {
    const keeper = new LeaseKeeper(run, this.runs);
    try {
      const outcome = await this.outcomeOf(run);
      if (outcome === null) return;
      const ended = await this.end(run, outcome);
      this.tell(run, ended === null ? 'lost' : outcome.status, ended);
    } catch (error) {
      // The lease ends by itself; the reconciler then hands the job to a worker.
      this.logger.error({ err: error, jobId: run.job.id, workspaceId: run.job.workspaceId }, 'run left');
    } finally {
      keeper.stop();
      run.abort(new LeaseLost());
    }
  }

  /** How the job ends; null when it is not this run's to end. */
  private async outcomeOf(run: ScrapeRun): Promise<JobOutcome | null> {
    const { job } = run;
    if (job.attempts > MAX_ATTEMPTS) return givenUp(job.attempts - 1);
    try {
      await this.work.do(run);
      return { status: 'completed' };
    } catch (error) {
      if (error instanceof PlatformError)
        return { status: 'failed', errorCode: error.code, errorMessage: error.message };
      if (error instanceof LeaseLost) {
        this.tell(run, 'lost', null);
        return null;
      }
      const isStopping = error instanceof WorkerStopping;
      if (!isStopping)
        this.logger.error(
          { err: error, jobId: job.id, workspaceId: job.workspaceId },
          'scrape job broke off',
        );
      const attempts = run.hasStored ? 1 : job.attempts;
      if (!isStopping && attempts >= MAX_ATTEMPTS) return givenUp(attempts);
      await this.runs.release(job.workspaceId, job.id, run.owner, !isStopping);
      this.tell(run, 'given back', null);
      return null;
    }
  }

  private async end(run: ScrapeRun, outcome: JobOutcome): Promise<Job | null> {
    const { job, owner, progress } = run;
    const gathered = await this.keywords.gather(job.workspaceId, job.id);
    // What stopped the work must not keep its end from being written.
    return this.transactions.run(new AbortController().signal, async (tx) => {
      const record = await this.runs.finish(job.workspaceId, job.id, owner, outcome, progress, tx);
      if (record === null) return null;
      if (gathered !== null) await this.keywords.learn(job.workspaceId, gathered, tx);
      await this.outbox.append(
        job.workspaceId,
        {
          type: `job.${outcome.status}`,
          uniqueKey: `job:${job.id}:ended`,
          subjectKind: 'job',
          subjectId: job.id,
          data: JobDto.from(record),
        },
        tx,
      );
      return record;
    });
  }

  private tell(run: ScrapeRun, outcome: string, ended: Job | null): void {
    const { job, progress } = run;
    this.logger.log({
      msg: 'scrape job run ended',
      workspaceId: job.workspaceId,
      jobId: job.id,
      target: job.target,
      mode: job.mode,
      outcome,
      requests: progress.requests,
      timingsMs: run.timings.record,
      pluginsMs: run.plugins?.timings,
      ...(ended !== null && {
        errorCode: ended.errorCode,
        posts: ended.postsScraped,
        comments: ended.commentsScraped,
        media: ended.mediaDownloaded,
        stopReason: ended.progress.stop_reason,
        durationMs: ended.completedAt!.getTime() - ended.startedAt!.getTime(),
      }),
    });
  }
}

function givenUp(attempts: number): JobOutcome {
  return {
    status: 'failed',
    errorCode: 'internal_error',
    errorMessage: `The scrape broke off ${attempts} times in a row without getting further; the service's log says why. Everything stored before is kept`,
  };
}
