import { Injectable } from '@nestjs/common';
import { publicId } from '../../common/ids.js';
import type { ExecutionOverviewDto, FailedJobDto, WorkerOverviewDto } from '../jobs/dto/jobs-overview.dto.js';
import { JobWorkersRepository } from '../jobs/job-workers.repository.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { LEASE_MS } from './heartbeat.js';
import { JobExecutionsRepository } from './job-executions.repository.js';
import { Overview } from '../../tenants/ports/overview.js';

const MAX_EXECUTIONS = 200;
const MAX_FAILED = 20;
const MAX_ENDED = 50_000;

/** Executions, failed and ended jobs, and workers for the operator's overview. */
@Injectable()
export class JobsOverview {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly workers: JobWorkersRepository,
    private readonly executions: JobExecutionsRepository,
    overview: Overview,
  ) {
    overview.registerQueue('jobs', jobs.backlog.bind(jobs));
    overview.register({
      executions: () => this.listExecutions(),
      failed_jobs: () => this.listFailed(),
      ended_jobs: () => jobs.endedByHour(MAX_ENDED),
      workers: () => this.listWorkers(),
    });
  }

  private async listExecutions(): Promise<ExecutionOverviewDto[]> {
    const leases = await this.executions.listLeases(LEASE_MS, MAX_EXECUTIONS);
    const jobs = await this.jobs.findEach(leases.map(({ workspaceId, jobId: id }) => ({ workspaceId, id })));
    return leases.map((lease) => {
      const job = jobs.get(lease.jobId);
      return {
        job_id: publicId('job', lease.jobId),
        workspace_id: publicId('workspace', lease.workspaceId),
        target: job?.target ?? null,
        mode: job?.mode ?? null,
        started_at: job?.startedAt ?? null,
        worker: lease.owner && processOf(lease.owner),
        attempts: lease.attempts,
        lease_age_seconds: lease.leaseAgeSeconds,
        lease_expired: lease.hasExpired,
      };
    });
  }

  private async listFailed(): Promise<FailedJobDto[]> {
    const jobs = await this.jobs.newestFailed(MAX_FAILED);
    return jobs.map((job) => ({
      job_id: publicId('job', job.id),
      workspace_id: publicId('workspace', job.workspaceId),
      target: job.target,
      mode: job.mode,
      failed_at: job.completedAt!,
      error_code: job.errorCode,
      error_message: job.errorMessage,
    }));
  }

  private async listWorkers(): Promise<WorkerOverviewDto[]> {
    const workers = await this.workers.list();
    return workers.map(({ id, seenSecondsAgo, isAlive, isFailing }) => ({
      worker: processOf(id),
      seen_seconds_ago: seenSecondsAgo,
      alive: isAlive,
      claims_failing: isFailing,
    }));
  }
}

/** Extracts `host:process id` from `host:process id:uuid`. */
function processOf(id: string): string {
  return id.slice(0, id.lastIndexOf(':'));
}
