import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { DatabaseClock } from './database-clock.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';

/** How long it is kept what became of due times. */
export const RUNS_KEPT_MS = 90 * 86_400_000;
/** However old: rare schedules keep a history, and pausing after failures looks at the newest jobs. */
export const NEWEST_RUNS_KEPT = 10;
const INTERVAL_MS = 3_600_000;
const BATCH = 1_000;

/** Forgets old runs of schedules, a bounded number at a time. */
@Injectable()
export class RunHistoryPruner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RunHistoryPruner.name);
  private readonly loop = new PollingLoop(
    () => this.pruneBatch(),
    INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'old runs of schedules could not be pruned'),
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

  /** Whether there may be more. */
  pruneBatch(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const before = new Date((await this.clock.now(tx)).getTime() - RUNS_KEPT_MS);
      const gone = await this.schedules.pruneRuns({ before, newestKept: NEWEST_RUNS_KEPT, limit: BATCH }, tx);
      return gone === BATCH;
    });
  }
}
