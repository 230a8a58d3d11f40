import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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
    await this.transactions.run((tx) => this.insert(job, tx));
    await this.wakeWorker(job);
  }

  /** Stores a job in a transaction, after which {@link wakeWorker} is to be called. Throws 403 `quota_exceeded`. */
  async insert(job: Job, tx: EntityManager): Promise<void> {
    await this.quotas.enforce(job.workspaceId, 'pending_jobs', 1, tx);
    await this.jobs.insert(job, tx);
  }

  /** Wakes a worker for a stored job. */
  async wakeWorker({ workspaceId, id }: Job): Promise<void> {
    await this.queue.enqueue(workspaceId, id);
  }
}
