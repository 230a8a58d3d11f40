import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../database/database-clock.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';

/** How long occurrences are kept: 90 days. */
export const OCCURRENCES_KEPT_MS = 90 * 86_400_000;
/**
 * Number of newest occurrences of each schedule that are kept whatever their age: rare schedules keep a history, and
 * pausing after failures reads the newest jobs.
 */
export const NEWEST_OCCURRENCES_KEPT = 10;
const BATCH_SIZE = 1_000;

/** Deletes old occurrences. */
@Injectable()
export class OccurrencePruner {
  constructor(
    private readonly schedules: DueSchedulesRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
    pruner: Pruner,
  ) {
    pruner.add('schedule occurrences', () => this.pruneBatch());
  }

  /** Deletes one batch, oldest first. Returns whether more may remain. */
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
