import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { enterWorkspace, openWorkScope } from '../../src/common/work-scope.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { loadEntities } from '../../src/database/entities.js';
import { SEARCH_SETTINGS } from '../../src/database/search-settings.js';
import { clusterUrls, createOnCluster, onDatabase, runOnServer } from './cluster.js';
import { closedAfterTests } from './opened.js';
import { TEMPLATE_DATABASE, TEST_DATABASE_REQUEST_URL, TEST_DATABASE_URL } from './servers.js';

export interface TestDatabase {
  url: string;
  /** The same database with the login of requests. */
  requestUrl: string;
  /** Drops the database and closes all remaining connections to it. */
  drop(): Promise<void>;
}

const CLONE_ATTEMPTS = 20;
const OBJECT_IN_USE = '55006';

/** Creates a migrated, empty database, which is dropped after the tests of the file. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(async (servers, name) => {
    for (const each of servers) await cloneTemplate(each, name);
    // Settings of a login in a database are no part of its clones.
    if (clusterUrls() !== null)
      await runOnServer(
        onDatabase(servers[0]!, name),
        ...SEARCH_SETTINGS.map(
          ([setting, value]) => `ALTER ROLE CURRENT_USER IN DATABASE ${name} SET ${setting} = '${value}'`,
        ),
      );
  });
}

/** Creates a database without tables. */
export function createDatabaseWithoutTables(): Promise<TestDatabase> {
  return createDatabase(async (servers, name) => {
    if (clusterUrls() !== null) await createOnCluster(servers, name);
    else await onServer(servers[0]!, (client) => client.query(`CREATE DATABASE ${name}`));
  });
}

async function createDatabase(
  create: (servers: readonly string[], name: string) => Promise<void>,
): Promise<TestDatabase> {
  const server = process.env[TEST_DATABASE_URL];
  if (server === undefined)
    throw new Error(`${TEST_DATABASE_URL} is unset: run tests through "npm test", which starts the servers`);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const servers = clusterUrls() ?? [server];
  await create(servers, name);
  return {
    url: onDatabase(server, name),
    requestUrl: onDatabase(process.env[TEST_DATABASE_REQUEST_URL]!, name),
    drop: closedAfterTests(async () => {
      for (const each of servers)
        await onServer(each, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    }),
  };
}

/** Postgres allows one clone of a template at a time, and test files run in parallel. */
async function cloneTemplate(server: string, name: string): Promise<void> {
  await onServer(server, async (client) => {
    await client.query(`SELECT pg_advisory_lock(hashtext($1))`, [TEMPLATE_DATABASE]);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`);
        return;
      } catch (error) {
        // Autovacuum may connect to the template at any time.
        if ((error as pg.DatabaseError).code !== OBJECT_IN_USE || attempt === CLONE_ATTEMPTS) throw error;
        await client.query('SELECT pg_sleep(0.1)');
      }
    }
  });
}

/** A connection to a database. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function onServer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = await connect(server);
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** A data source with all entities on a migrated database, until the tests of the file have ended. */
export async function openDataSource(
  url: string,
  options?: Parameters<typeof dataSourceOptions>[1],
): Promise<DataSource> {
  const dataSource = new DataSource({
    ...dataSourceOptions(url, options),
    entities: await loadEntities(),
    migrations: [],
  });
  closedAfterTests(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
  });
  return dataSource.initialize();
}

/** Runs work in the context of a workspace's request. */
export const asRequestOf = <T>(workspaceId: string, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) =>
    openWorkScope(() => {
      enterWorkspace(workspaceId);
      work().then(resolve, reject);
    }),
  );
