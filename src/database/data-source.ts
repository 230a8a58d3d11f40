import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { destroyedWhenSilent } from './connections.js';
import { SnakeCaseNaming } from './naming.js';
import { postgresDriver } from './postgres-driver.js';

/** Statement timeout in milliseconds, unless a pool sets another one; migrations have no limit. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * Added to a statement timeout, so that Postgres cancels its own statements first and the connection fails only when
 * Postgres is silent.
 */
export const SILENCE_MARGIN_MS = 5_000;

/**
 * Options of the data source, whose pool serves authentication, health checks and all small statements. Searches and
 * exports have their own pools. Modules register their entities; only migrations change the schema.
 */
export function dataSourceOptions(
  url: string,
  overrides: {
    poolSize?: number;
    applicationName?: string;
    statementTimeoutMs?: number;
    /** The login for statements of workspaces. */
    requestUrl?: string | undefined;
  } = {},
): DataSourceOptions {
  const statementTimeoutMs = overrides.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
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
      requestUrl: overrides.requestUrl,
      ...destroyedWhenSilent(statementTimeoutMs + SILENCE_MARGIN_MS),
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
    },
  };
}
