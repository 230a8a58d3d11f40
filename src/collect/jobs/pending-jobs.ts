import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { JobQueue } from './job-queue.js';
import type { Job } from './job.entity.js';
import { JobsRepository } from './jobs.repository.js';

/** Stores pending jobs within the quota of their workspace, and wakes a worker. */
@Injectable()
export class PendingJobs {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly transactions: TransactionRunner,
    private readonly quotas: QuotasService,
    private readonly queue: JobQueue,
  ) {}

  /** Throws 403 `quota_exceeded`. */
  async add(job: Job): Promise<void> {
    const { workspaceId } = job;
    await this.transactions.run(async (tx) => {
      await this.quotas.enforce(workspaceId, 'pending_jobs', 1, tx);
      await this.jobs.insert(job, tx);
    });
    await this.queue.enqueue(workspaceId, job.id);
  }
}
