import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { registerBacklogGauges } from '../../infrastructure/metrics/state-gauge.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import type { Job } from './job.entity.js';
import { JobsRepository } from './jobs.repository.js';

/** Metrics of jobs, regardless of which process ends or cancels them. */
@Injectable()
export class JobMetrics {
  private readonly ended: Counter<'status' | 'error_code'>;
  private readonly durations: Histogram;

  constructor(jobs: JobsRepository, inactive: InactiveWorkspaces, { registry }: MetricsRegistry) {
    this.ended = new Counter({
      name: 'wss_jobs_total',
      help: 'Ended jobs by status and error code; the code is empty unless the job failed',
      labelNames: ['status', 'error_code'],
      registers: [registry],
    });
    this.durations = new Histogram({
      name: 'wss_job_duration_seconds',
      help: 'Time from the start of a job to its end',
      buckets: [1, 2.5, 5, 10, 30, 60, 180, 600, 1_800, 3_600, 14_400],
      registers: [registry],
    });
    registerBacklogGauges(
      registry,
      {
        count: { name: 'wss_jobs_waiting', help: 'Pending jobs of active workspaces' },
        oldest: { name: 'wss_jobs_oldest_waiting_seconds', help: 'Age of the oldest pending job' },
      },
      () => jobs.backlog(inactive.ids),
    );
  }

  /** Records a job that a worker has ended. */
  end({ status, errorCode, startedAt, completedAt }: Job): void {
    this.ended.inc({ status, error_code: errorCode ?? '' });
    if (startedAt !== null && completedAt !== null)
      this.durations.observe((completedAt.getTime() - startedAt.getTime()) / 1_000);
  }

  /** Records a cancelled job. */
  cancel(): void {
    this.ended.inc({ status: 'cancelled', error_code: '' });
  }
}
