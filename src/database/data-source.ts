import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DataSourceOptions } from 'typeorm';
import { SnakeCaseNaming } from './naming.js';

/** Longest any single statement of the service may run; streams and migrations set their own. */
export const STATEMENT_TIMEOUT_MS = 30_000;

type Class = new () => object;

const MODULES = join(import.meta.dirname, '../modules');
const ENTITIES = await exportsOf(
  readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.entity\.[jt]s$/.test(file)),
  MODULES,
);
const MIGRATIONS = await exportsOf(
  readdirSync(join(import.meta.dirname, 'migrations')).filter((file) => /^\d+-[^.]+\.[jt]s$/.test(file)),
  join(import.meta.dirname, 'migrations'),
);

/**
 * Options of the one data source. Entities are found by file name so that a new resource needs no list;
 * the schema is made by migrations alone.
 */
export function dataSourceOptions(
  url: string,
  overrides: { poolSize?: number; applicationName?: string } = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    poolSize: overrides.poolSize ?? 10,
    connectTimeoutMS: 5_000,
    applicationName: overrides.applicationName ?? 'workspace-scraping-service',
    extra: { statement_timeout: STATEMENT_TIMEOUT_MS, idle_in_transaction_session_timeout: 60_000 },
  };
}

/**
 * The classes that files export. TypeORM could take their paths, but imports them through code that V8 caches by its
 * text: a second test file in one process then gets the classes of the first, and no repository knows its entity.
 */
async function exportsOf(files: readonly string[], folder: string): Promise<Class[]> {
  const found: unknown[] = [];
  for (const file of files)
    found.push(
      ...Object.values((await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>),
    );
  return found.filter((value): value is Class => typeof value === 'function');
}
