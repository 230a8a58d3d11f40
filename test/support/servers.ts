import { execFile } from 'node:child_process';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedServers, type EmbeddedServers } from '../../src/launcher/embedded-servers.js';
import { Watchdog } from '../../src/launcher/watchdog-client.js';
import { findServers, makeClusterTemplate } from './cluster.js';

const run = promisify(execFile);
const MIGRATE = join(import.meta.dirname, '../../src/cli/migrate.js');

/** The migrated database from which the database of every test file is cloned. */
export const TEMPLATE_DATABASE = 'template_migrated';

/** Environment variables that give the test files the addresses of the test run's servers. */
export const TEST_DATABASE_URL = 'TEST_DATABASE_URL';
export const TEST_DATABASE_REQUEST_URL = 'TEST_DATABASE_REQUEST_URL';
export const TEST_REDIS_URL = 'TEST_REDIS_URL';

/** Linux's in-memory file system, and the free bytes that a test run needs there. */
const MEMORY = '/dev/shm';
const LEAST_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Where test servers store their data: in memory if there is room and `TMPDIR` does not name another place. The
 * database of each test file is a folder of 300 files, and on ext4 creating them takes up to a second of processor time
 * while others are being deleted.
 */
async function parentFolder(): Promise<string> {
  if (process.env.TMPDIR !== undefined) return tmpdir();
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= LEAST_FREE_BYTES ? MEMORY : tmpdir();
}

/** The servers of a test run. */
export interface TestServers extends EmbeddedServers {
  /** The servers of the Citus cluster on which databases are created; absent without a cluster. */
  cluster?: string[];
}

/**
 * A Postgres and a Redis for one test run, with data in a temporary folder. They stop, and the folder is removed, even
 * when the run is killed. On a cluster, only Redis is started.
 */
export async function startTestServers(
  log: (line: string) => void,
  { coordinator }: { coordinator?: string } = {},
): Promise<TestServers> {
  const folder = await mkdtemp(join(await parentFolder(), 'scraping-service-test-'));
  const watchdog = Watchdog.start();
  watchdog.removeAtEnd(folder);
  try {
    const servers = await startEmbeddedServers({
      asSuperuser: true,
      dataDir: join(folder, 'data'),
      durability: 'none',
      watchdog,
      log,
      ...(coordinator !== undefined && { databaseUrl: coordinator }),
    });
    const stop = async () => {
      await servers.stop();
      await watchdog.close();
    };
    try {
      if (coordinator === undefined) {
        await makeTemplate(servers.databaseUrl);
        return { ...servers, stop };
      }
      const cluster = await findServers(coordinator);
      await makeClusterTemplate(cluster, TEMPLATE_DATABASE);
      return { ...servers, cluster, databaseRequestUrl: coordinator, stop };
    } catch (error) {
      await stop();
      throw error;
    }
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
  // In a process of its own: TypeORM imports its files through code that V8 caches by its text. A test file that runs
  // in this process would then get them from outside Jest's module registry, with every entity duplicated.
  await run(process.execPath, [MIGRATE], { env: { ...process.env, DATABASE_URL: url.href } });
}
