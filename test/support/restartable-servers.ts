import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedServers, startEmbeddedServers } from '../../src/launcher/embedded-servers.js';
import { Watchdog } from '../../src/launcher/watchdog-client.js';
import { until } from './until.js';

/** Servers of one test file, of which Postgres can be restarted without harm to other files. */
export interface RestartableServers extends EmbeddedServers {
  /** Ends all sessions and shuts Postgres down; returns once it answers again, at the same address. */
  restartPostgres(): Promise<void>;
}

/** Starts a migrated Postgres and a Redis with data in a temporary folder, which is removed at the end. */
export async function startRestartableServers(): Promise<RestartableServers> {
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
