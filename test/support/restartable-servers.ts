import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedServers, startEmbeddedServers } from '../../src/launcher/embedded-servers.js';
import { Watchdog } from '../../src/launcher/watchdog-client.js';
import { clusterUrls, crashServer, onDatabase, runOnServer } from './cluster.js';
import { createTestDatabase } from './database.js';
import { createTestRedis } from './redis.js';
import { until } from './until.js';

/** Servers of one test file, of which Postgres can be restarted without harm to other files. */
export interface RestartableServers extends EmbeddedServers {
  /** Ends all sessions and shuts Postgres down; returns once it answers again, at the same address. */
  restartPostgres(): Promise<void>;
}

/**
 * Starts a migrated Postgres and a Redis with data in a temporary folder, which is removed at the end. On a cluster, it is
 * a database of the cluster, whose servers all crash instead.
 */
export async function startRestartableServers(): Promise<RestartableServers> {
  const cluster = clusterUrls();
  return cluster === null ? startOwnServers() : useCluster(cluster);
}

async function useCluster(servers: readonly string[]): Promise<RestartableServers> {
  const database = await createTestDatabase();
  const redis = await createTestRedis();
  const answers = (server: string): Promise<boolean> =>
    runOnServer(onDatabase(server, new URL(database.url).pathname.slice(1)), 'SELECT').then(
      () => true,
      () => false,
    );
  return {
    databaseUrl: database.url,
    databaseRequestUrl: database.requestUrl,
    redisUrl: redis.url,
    restartPostgres: async () => {
      for (const server of servers) {
        await crashServer(server);
        await until(() => answers(server));
      }
    },
    stop: () => database.drop(),
  };
}

async function startOwnServers(): Promise<RestartableServers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'scraping-service-restartable-'));
  const watchdog = Watchdog.start();
  watchdog.removeAtEnd(dataDir);
  const servers = await startEmbeddedServers({
    asSuperuser: true,
    dataDir,
    durability: 'none',
    fromTemplate: true,
    watchdog,
    log: () => undefined,
  });
  const startedAt = async (): Promise<string | null> => {
    const client = new pg.Client({ connectionString: servers.databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ at: string }>('SELECT pg_postmaster_start_time()::text AS at');
      return rows[0]!.at;
    } catch {
      return null;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  return {
    ...servers,
    restartPostgres: async () => {
      const before = await startedAt();
      const [pid] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGINT');
      await until(startedAt, (at) => at !== null && at !== before);
    },
    stop: async () => {
      await servers.stop();
      await watchdog.close();
    },
  };
}
