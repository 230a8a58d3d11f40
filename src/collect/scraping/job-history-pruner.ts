import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { JobLogRepository } from './log/job-log.repository.js';
import { WorkListRepository } from './work-list.repository.js';

const BATCH = 500;

/** Deletes jobs that ended more than `JOB_RETENTION_DAYS` ago; 0 keeps them all. */
@Injectable()
export class JobHistoryPruner {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly jobs: JobsRepository,
    private readonly workList: WorkListRepository,
    private readonly log: JobLogRepository,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'JOB_RETENTION_DAYS'>,
    pruner: Pruner,
  ) {
    if (environment.JOB_RETENTION_DAYS > 0) pruner.add('jobs', () => this.pruneBatch());
  }

  /** Deletes one batch of jobs with their logs and the rest of their work lists. True when there may be more. */
  async pruneBatch(limit = BATCH): Promise<boolean> {
    const days = this.environment.JOB_RETENTION_DAYS;
    const deleted = await this.transactions.run(async (tx) => {
      const jobs = await this.jobs.deleteEnded(days, limit, tx);
      await this.workList.removeAll(jobs, tx);
      await this.log.removeAll(jobs, tx);
      return jobs.length;
    });
    return deleted === limit;
  }
}
