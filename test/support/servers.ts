import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import pg from 'pg';
import { dataSourceOptions } from '../../src/database/data-source.js';
import {
  startEmbeddedServers,
  type EmbeddedServers,
} from '../../src/infrastructure/embedded/embedded-servers.js';
import { Watchdog } from '../../src/infrastructure/embedded/watchdog-client.js';

/** The migrated database that every test file's own one is cloned from. */
export const TEMPLATE_DATABASE = 'template_migrated';

/** Environment variables through which the run's servers are known to its test files. */
export const TEST_DATABASE_URL = 'TEST_DATABASE_URL';
export const TEST_REDIS_URL = 'TEST_REDIS_URL';

/**
 * A Postgres and a Redis for one test run, in a folder of their own that goes with them. They end, and the folder is
 * removed, even when the run is killed.
 */
export async function startTestServers(log: (line: string) => void): Promise<EmbeddedServers> {
  const folder = await mkdtemp(join(tmpdir(), 'scraping-service-test-'));
  const watchdog = Watchdog.start();
  watchdog.removeAtEnd(folder);
  try {
    const servers = await startEmbeddedServers({
      dataDir: join(folder, 'data'),
      durability: 'none',
      watchdog,
      log,
    });
    const stop = async () => {
      await servers.stop();
      await watchdog.close();
    };
    await makeTemplate(servers.databaseUrl).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { ...servers, stop };
  } catch (error) {
    await watchdog.close();
    throw error;
  }
}

async function makeTemplate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  } finally {
    await client.end();
  }
  const url = new URL(databaseUrl);
  url.pathname = `/${TEMPLATE_DATABASE}`;
  const source = new DataSource(dataSourceOptions(url.href));
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}
