import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { mayPass } from '../common/dependency-unavailable.js';
import { TransactionRunner } from './transaction-runner.js';

const RETRY_TIMEOUT_MS = 30_000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/**
 * Delay in milliseconds before a transaction is retried after `failures` failures: doubles each time, at most two
 * seconds.
 */
export const retryWaitMs = (failures: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));

/**
 * Transactions that survive conflicts and a restart of Postgres, because they are retried for half a minute. A lost
 * connection may hide a commit that succeeded, so the work must be idempotent.
 */
@Injectable()
export class RetryingTransactions {
  private readonly logger = new Logger(RetryingTransactions.name);

  constructor(private readonly transactions: TransactionRunner) {}

  /** Throws the signal's reason when it aborts between attempts. */
  async run<T>(signal: AbortSignal, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const deadline = performance.now() + RETRY_TIMEOUT_MS;
    for (let failures = 1; ; failures += 1) {
      signal.throwIfAborted();
      try {
        return await this.transactions.run(work);
      } catch (error) {
        const waitMs = retryWaitMs(failures);
        if (!mayPass(error) || performance.now() + waitMs > deadline) throw error;
        this.logger.warn({ err: error, waitMs }, 'transaction repeated');
        await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }
}
