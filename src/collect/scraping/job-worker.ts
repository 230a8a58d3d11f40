import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { RepeatedWork } from '../../common/repeated-work.js';
import { Tracing } from '../../infrastructure/tracing/tracing.js';
import { ClaimFailures } from '../../infrastructure/readiness/claim-failures.js';
import type { Job } from '../jobs/job.entity.js';
import { type JobOutcome, JobProgressRepository } from '../jobs/job-progress.repository.js';
import { isSmall } from '../jobs/job-turns.repository.js';
import { startsAlone, type ProcessLoad } from './claim-limits.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { LeaseLost } from '../../common/leased-work.js';
import { type JobExecution, WorkerStopping, WorkspaceSuspended } from './job-execution.js';
import { failureBeforeStart, type Interruption, outcomeOfError } from './job-outcome.js';
import { Heartbeat } from './heartbeat.js';
import { JobClaims } from './job-claims.js';
import { JobEnding } from './job-ending.js';
import { JobExecutionsRepository } from './job-executions.repository.js';
import { JobLogRepository } from './log/job-log.repository.js';
import { JobMetrics } from '../jobs/job-metrics.js';
import { ScrapingMetrics } from './scraping-metrics.js';
import { JobExecutor } from './job-executor.js';

/**
 * Interval at which Postgres is polled for jobs that Redis lost, or whose wake-up went to a process without a free
 * slot.
 */
const POLL_MS = 1_000;
const SHUTDOWN_TIMEOUT_MS = 5_000;

/** Claims jobs while this process has free slots, and executes each of them. */
@Injectable()
export class JobWorker extends RepeatedWork {
  private readonly executions = new Map<JobExecution, Promise<void>>();

  constructor(
    private readonly claims: JobClaims,
    private readonly executor: JobExecutor,
    private readonly ending: JobEnding,
    private readonly leases: JobExecutionsRepository,
    private readonly jobs: JobProgressRepository,
    private readonly jobLog: JobLogRepository,
    private readonly inactive: InactiveWorkspaces,
    private readonly metrics: ScrapingMetrics,
    private readonly jobMetrics: JobMetrics,
    private readonly tracing: Tracing,
    private readonly claimFailures: ClaimFailures,
  ) {
    super(POLL_MS, 'job claim failed');
  }

  protected override onFailure(error: unknown): void {
    this.claimFailures.add(error);
    super.onFailure(error);
  }

  /** Looks for jobs now instead of waiting for the next poll. */
  wake(): void {
    this.loop.wake();
  }

  /** Releases running jobs, so that other workers need not wait for their leases to expire. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    for (const execution of this.executions.keys()) execution.abort(new WorkerStopping());
    const timeout = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_TIMEOUT_MS).unref());
    await Promise.race([Promise.allSettled(this.executions.values()), timeout]);
  }

  /**
   * Stops the jobs of suspended workspaces and starts one job; false when there is none that this process can start.
   */
  override async work(): Promise<boolean> {
    for (const execution of this.executions.keys())
      if (this.inactive.has(execution.job.workspaceId)) execution.abort(new WorkspaceSuspended());
    const mustStayAlone = [...this.executions.keys()].some(({ lease, clock }) =>
      startsAlone(lease, clock.now()),
    );
    if (mustStayAlone) return false;
    const execution = await this.claims.claimNext(this.load());
    this.claimFailures.end();
    if (execution === null) return false;
    const ended = this.traced(execution).finally(() => {
      this.executions.delete(execution);
      this.metrics.running.set(this.executions.size);
      this.wake();
    });
    this.executions.set(execution, ended);
    this.metrics.running.set(this.executions.size);
    return true;
  }

  private load(): ProcessLoad {
    const small = [...this.executions.keys()].filter(({ job }) => isSmall(job)).length;
    return { small, large: this.executions.size - small };
  }

  private async traced(execution: JobExecution): Promise<void> {
    const { job, lease, progress } = execution;
    await this.tracing.record(
      'job execution',
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'wss.workspace_id': job.workspaceId,
          'wss.job_id': job.id,
          'wss.mode': job.mode,
          'wss.attempt': lease.attempts,
        },
        attributesOf: (outcome) => ({
          'wss.outcome': outcome,
          'wss.source': execution.source ?? 'unknown',
          'wss.platform_requests': progress.requests,
        }),
      },
      () => this.complete(execution),
    );
  }

  /**
   * Executes a job, records how it ended and returns that. Never throws: a job that could not be ended is claimed again
   * when its lease expires.
   */
  private async complete(execution: JobExecution): Promise<string> {
    const { workspaceId, id } = execution.job;
    const heartbeat = new Heartbeat(execution, this.leases, this.jobs, this.jobLog);
    logStart(execution);
    try {
      const outcome = await this.outcomeOf(execution);
      await this.storeLog(execution, outcome);
      const { result, ended } = await this.conclude(execution, outcome);
      if (ended !== undefined) this.jobMetrics.end(ended);
      this.log(execution, result, ended);
      return result;
    } catch (error) {
      this.logger.error({ err: error, jobId: id, workspaceId }, 'job execution left unfinished');
      return 'left unfinished';
    } finally {
      execution.abort(new LeaseLost());
      await Promise.all([heartbeat.stop(), execution.plugins.end()]);
    }
  }

  /** Ends the job or releases it to other workers; `ended` is the job if this execution ended it. */
  private async conclude(
    execution: JobExecution,
    outcome: JobOutcome | Interruption,
  ): Promise<{ result: string; ended?: Job }> {
    const { workspaceId, id } = execution.job;
    if (outcome === 'lost') return { result: await this.ending.abandon(execution) };
    if (outcome === 'broken off' || outcome === 'stopping' || outcome === 'suspended') {
      await this.leases.release(workspaceId, id, execution.lease.owner, outcome === 'broken off');
      return { result: 'given back' };
    }
    const ended = await this.ending.end(execution, outcome);
    return typeof ended === 'string' ? { result: ended } : { result: outcome.status, ended };
  }

  private async outcomeOf(execution: JobExecution): Promise<JobOutcome | Interruption> {
    const { job, lease } = execution;
    const failure = failureBeforeStart(lease);
    if (failure !== null) return failure;
    try {
      await this.executor.execute(execution);
      return { status: 'completed' };
    } catch (error) {
      const outcome = outcomeOfError(error);
      if (outcome === 'broken off')
        this.logger.error(
          { err: error, jobId: job.id, workspaceId: job.workspaceId },
          'job execution broke off',
        );
      return outcome;
    }
  }

  /** Stores the rest of the job's log before its status changes, so that the log of an ended job is always complete. */
  private async storeLog(execution: JobExecution, outcome: unknown): Promise<void> {
    if (outcome === 'stopping')
      execution.log.add(
        'info',
        'execution_ended',
        'The worker is shutting down; another worker continues the job',
      );
    if (outcome === 'suspended')
      execution.log.add(
        'info',
        'execution_ended',
        'The workspace is suspended; the job continues when it is resumed',
      );
    if (outcome === 'broken off')
      execution.log.add('warn', 'execution_ended', 'The execution failed and is retried from its last batch');
    try {
      await execution.log.flush(this.jobLog);
    } catch (error) {
      this.logger.warn({ err: error, jobId: execution.job.id }, 'job log not stored');
    }
  }

  private log({ job, progress, timings, plugins }: JobExecution, outcome: string, ended?: Job): void {
    if (outcome === 'lost') this.metrics.leasesLost.inc();
    this.logger.log({
      msg: 'job execution ended',
      workspaceId: job.workspaceId,
      jobId: job.id,
      target: job.target,
      mode: job.mode,
      outcome,
      requests: progress.requests,
      timingsMs: timings.record,
      pluginsMs: plugins.timings,
      ...(ended !== undefined && {
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

function logStart({ log, lease }: JobExecution): void {
  const resumed = lease.attempts > 1 || lease.checkpoint !== null;
  log.add('info', 'execution_started', resumed ? 'A worker continues the job' : 'A worker starts the job', {
    attempt: lease.attempts,
    resumed,
  });
}
