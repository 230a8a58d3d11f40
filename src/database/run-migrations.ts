import 'reflect-metadata';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { migrationFiles, MIGRATIONS_FOLDER } from './migration-state.js';

/** One process migrates at a time; the number only has to be the same in all of them. */
const MIGRATION_LOCK = 7_264_113;

/**
 * Brings the schema up to date, or to the state that the named migrations make; returns the names of the migrations that were
 * run. Safe to call from several processes.
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  const options = dataSourceOptions(url, { poolSize: 2, applicationName: 'wss-migrate' });
  const migrations = (await migrationFiles(only)).map((file) => join(MIGRATIONS_FOLDER, file));
  const dataSource = await new DataSource({ ...options, migrations, extra: {} }).initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await lockHolder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = await dataSource.runMigrations();
    return done.map((migration) => migration.name);
  } finally {
    await lockHolder.release();
    await dataSource.destroy();
  }
}
