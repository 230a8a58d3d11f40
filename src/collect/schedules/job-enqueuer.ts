import { Inject, Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { JobQueue } from '../jobs/job-queue.js';
import type { JobRef } from '../jobs/jobs.repository.js';

const CONCURRENCY = 16;
const MAX_WAITING = 10_000;

/**
 * Enqueues created jobs in the background, so that a slow or unavailable Redis cannot delay the claiming of due times.
 * At most 10,000 jobs wait here; further ones are not enqueued, and workers find them when they next poll Postgres.
 */
@Injectable()
export class JobEnqueuer {
  private readonly logger = new Logger(JobEnqueuer.name);
  private readonly limit = pLimit(CONCURRENCY);

  constructor(@Inject(JobQueue) private readonly queue: Pick<JobQueue, 'enqueue'>) {}

  enqueue(jobs: readonly JobRef[]): void {
    const accepted = jobs.slice(0, Math.max(0, MAX_WAITING - this.limit.pendingCount));
    if (accepted.length < jobs.length)
      this.logger.warn(
        { dropped: jobs.length - accepted.length },
        'jobs not enqueued; workers find them by polling',
      );
    for (const { workspaceId, id } of accepted)
      void this.limit(() => this.queue.enqueue(workspaceId, id)).catch((error: unknown) =>
        this.logger.warn(
          { err: error, workspaceId, jobId: id },
          'job not enqueued; workers find it by polling',
        ),
      );
  }
}
