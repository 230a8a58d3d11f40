import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import {
  batchFromFirst,
  type DeletedBatch,
  type ExpiredRows,
  Expiries,
} from '../../tenants/ports/expiries.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { JobLogRepository } from '../scraping/log/job-log.repository.js';
import { WorkListRepository } from '../scraping/work-list.repository.js';

/** Jobs per transaction: their locks last some tens of milliseconds. */
const BATCH = 500;

/** Deletes ended jobs with their logs and work lists. */
@Injectable()
export class ExpiredJobs {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly jobs: JobsRepository,
    private readonly workList: WorkListRepository,
    private readonly log: JobLogRepository,
    expiries: Expiries,
  ) {
    expiries.register('jobs', this.deleteBatch.bind(this));
  }

  /** Deletes the next batch. */
  deleteBatch({ workspaceId, before }: ExpiredRows): Promise<DeletedBatch> {
    return this.transactions.run(async (tx) => {
      const jobs = await this.jobs.deleteEndedBefore(workspaceId, before, BATCH, tx);
      await this.workList.removeAll(jobs, tx);
      await this.log.removeAll(jobs, tx);
      return batchFromFirst(jobs.length, jobs.length === BATCH);
    });
  }
}
