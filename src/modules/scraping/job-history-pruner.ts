import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { WorkListRepository } from './work-list.repository.js';

const INTERVAL_MS = 3_600_000;
const BATCH = 500;

/** Deletes jobs that ended more than `JOB_RETENTION_DAYS` ago, in bounded batches, once an hour; 0 keeps them all. */
@Injectable()
export class JobHistoryPruner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobHistoryPruner.name);
  private readonly loop = new PollingLoop(
    () => this.pruneBatch(),
    INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'pruning jobs failed'),
  );

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly jobs: JobsRepository,
    private readonly workList: WorkListRepository,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'JOB_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.environment.JOB_RETENTION_DAYS > 0) this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Deletes one batch with what is left of its work lists. True when there may be more. */
  async pruneBatch(limit = BATCH): Promise<boolean> {
    const days = this.environment.JOB_RETENTION_DAYS;
    const deleted = await this.transactions.run(async (tx) => {
      const jobs = await this.jobs.deleteEnded(days, limit, tx);
      await this.workList.removeAll(jobs, tx);
      return jobs.length;
    });
    return deleted === limit;
  }
}
