import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedServers, type EmbeddedServers } from '../../src/launcher/embedded-servers.js';
import { Watchdog } from '../../src/launcher/watchdog-client.js';

const run = promisify(execFile);
const MIGRATE = join(import.meta.dirname, '../../src/cli/migrate.js');

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
  // In a process of its own: TypeORM imports its files through code that V8 caches by its text, and a test file run in
  // this process would then get them from outside Jest's module registry, entities doubled.
  await run(process.execPath, [MIGRATE], { env: { ...process.env, DATABASE_URL: url.href } });
}
