import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Executes SQL without parameters and returns its rows. */
export type RunSql = <Row>(sql: string) => Promise<Row[]>;

/** Executes SQL with parameters and returns its rows. */
export type RunWithParameters = <Row>(sql: string, parameters: unknown[]) => Promise<Row[]>;

/** Executes SQL on a connection. */
export const runSqlOn =
  (client: ClientBase): RunSql =>
  async <Row>(sql: string) =>
    (await client.query(sql)).rows as Row[];

const LOCK_TIMEOUT_MS = 200;
/** Longer than `deadlock_timeout` (1 s by default), after which Postgres cancels an autovacuum that holds the lock. */
const LONG_LOCK_TIMEOUT_MS = 1_500;
const LONG_EVERY = 20;
const LOCK_ATTEMPTS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Repeats a change of a table until it gets its lock within the timeout that it is given. A statement that waits for a
 * lock blocks all later ones behind it, so nearly all attempts have a short timeout.
 */
export async function whenUnlocked(change: (lockTimeoutMs: number) => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await change(attempt % LONG_EVERY === 0 ? LONG_LOCK_TIMEOUT_MS : LOCK_TIMEOUT_MS);
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
      await sleep(LOCK_TIMEOUT_MS);
    }
  }
}
