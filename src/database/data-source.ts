import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { SnakeCaseNaming } from './naming.js';
import { postgresDriver } from './postgres-driver.js';

/** Longest any single statement of the service may run; streams and migrations set their own. */
export const STATEMENT_TIMEOUT_MS = 30_000;

/** Options of the one data source. Modules register their entities; the schema is made by migrations alone. */
export function dataSourceOptions(
  url: string,
  overrides: { poolSize?: number; applicationName?: string } = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    driver: postgresDriver,
    url,
    migrations: [join(import.meta.dirname, 'migrations/*.{js,ts}')],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    poolSize: overrides.poolSize ?? 10,
    connectTimeoutMS: 5_000,
    applicationName: overrides.applicationName ?? 'workspace-scraping-service',
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // For a Postgres that has fallen silent and so cannot keep to its own limit.
      query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  };
}
