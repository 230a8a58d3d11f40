import 'reflect-metadata';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { migrationFiles, MIGRATIONS_FOLDER } from './migration-state.js';

/** Advisory lock key: one process migrates at a time. The value is arbitrary but must be the same in all processes. */
const MIGRATION_LOCK = 7_264_113;
const LOCK_POLL_MS = 200;
/** Replaces the limit that the role or the database has. A pooler such as PgBouncer ignores it. */
const WITHOUT_LIMIT = '-c statement_timeout=0';
/** Longer than building an index on the largest tables takes. */
const LOCK_TIMEOUT_MS = 12 * 3_600_000;

/**
 * Brings the schema up to date, or to the state after the named migrations; returns the names of the migrations that it
 * ran. Safe to call from several processes.
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  const options = dataSourceOptions(url, { poolSize: 2, applicationName: 'wss-migrate' });
  const migrations = (await migrationFiles(only)).map((file) => join(MIGRATIONS_FOLDER, file));
  const dataSource = await new DataSource({
    ...options,
    migrations,
    extra: { options: WITHOUT_LIMIT },
  }).initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await lockMigrations(lockHolder);
    const done = await dataSource.runMigrations();
    return done.map((migration) => migration.name);
  } finally {
    // Fails when the connection was lost, and with it the lock.
    await lockHolder.rollbackTransaction().catch(() => undefined);
    await lockHolder.release();
    await dataSource.destroy();
  }
}

/**
 * Polls for the lock until another process has migrated. A blocking wait would hold a snapshot, and a concurrent index
 * build in the other process would wait for that snapshot to end. Throws when the other process takes longer than the
 * timeout. The lock belongs to a transaction, which holds no snapshot between its statements: behind a pooler a lock of
 * the session would stay with a connection that others use.
 */
async function lockMigrations(runner: QueryRunner): Promise<void> {
  const startedAt = performance.now();
  await runner.startTransaction();
  await runner.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  for (;;) {
    // Without parameters, since the statement would then leave a portal behind, and with it a snapshot.
    const [row] = (await runner.query(
      `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS "isLocked"`,
    )) as [{ isLocked: boolean }];
    if (row.isLocked) return;
    if (performance.now() - startedAt > LOCK_TIMEOUT_MS)
      throw new Error(
        'Another process has been migrating the database for 12 hours. Restart after it has finished',
      );
    await sleep(LOCK_POLL_MS);
  }
}
