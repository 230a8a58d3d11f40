import { Injectable, Logger } from '@nestjs/common';
import { JobQueue } from '../jobs/job-queue.js';

interface JobRef {
  workspaceId: string;
  id: string;
}

const CONCURRENCY = 16;
const MAX_WAITING = 10_000;

/**
 * Puts claimed jobs on the queue beside the claiming, so that a slow or absent Redis cannot hold that up. What does not
 * fit is dropped: the rows in Postgres are the truth, and the reconciler enqueues what the queue has not got.
 */
@Injectable()
export class JobAnnouncer {
  private readonly logger = new Logger(JobAnnouncer.name);
  private readonly waiting: JobRef[] = [];
  private running = 0;

  constructor(private readonly queue: Pick<JobQueue, 'enqueue'>) {}

  announce(jobs: readonly JobRef[]): void {
    const room = MAX_WAITING - this.waiting.length;
    this.waiting.push(...jobs.slice(0, room).map(({ workspaceId, id }) => ({ workspaceId, id })));
    if (jobs.length > room)
      this.logger.warn({ dropped: jobs.length - room }, 'jobs not enqueued; the reconciler will');
    while (this.running < CONCURRENCY && this.waiting.length > 0) void this.work();
  }

  private async work(): Promise<void> {
    this.running++;
    try {
      for (let job = this.waiting.shift(); job !== undefined; job = this.waiting.shift())
        await this.queue.enqueue(job.workspaceId, job.id);
    } finally {
      this.running--;
    }
  }
}
