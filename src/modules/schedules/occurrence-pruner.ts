import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';

/** How long occurrences are kept: 90 days. */
export const OCCURRENCES_KEPT_MS = 90 * 86_400_000;
/** Kept whatever their age: rare schedules keep a history, and pausing after failures reads the newest jobs. */
export const NEWEST_OCCURRENCES_KEPT = 10;
const INTERVAL_MS = 3_600_000;
const BATCH_SIZE = 1_000;

/** Deletes old occurrences every hour, in batches of 1,000. */
@Injectable()
export class OccurrencePruner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OccurrencePruner.name);
  private readonly loop = new PollingLoop(
    () => this.pruneBatch(),
    INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'pruning of schedule occurrences failed'),
  );

  constructor(
    private readonly schedules: DueSchedulesRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Deletes one batch, oldest first. Returns whether there may be more. */
  pruneBatch(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const before = new Date((await this.clock.now(tx)).getTime() - OCCURRENCES_KEPT_MS);
      const deleted = await this.schedules.deleteOccurrences(
        { before, newestKept: NEWEST_OCCURRENCES_KEPT, limit: BATCH_SIZE },
        tx,
      );
      return deleted === BATCH_SIZE;
    });
  }
}
