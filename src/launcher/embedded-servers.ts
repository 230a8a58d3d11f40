import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { copyClusterTemplate } from './cluster-template.js';
import { dataDirHolder, lockDataDir } from './data-dir-lock.js';
import {
  startEmbeddedPostgres,
  type EmbeddedServer,
  type EmbeddedServerOptions,
} from './embedded-postgres.js';
import { startEmbeddedRedis } from './embedded-redis.js';
import type { Durability } from './postgres-cluster.js';
import { Watchdog } from './watchdog-client.js';
import { DATA_DIR_MODE } from './postgres-user.js';

const SERVERS_FILE = 'servers.json';

/** A file in `DATA_DIR` that exists while a restore is incomplete. */
export const RESTORE_MARKER = 'restore.incomplete';

/** The content of `servers.json`. */
const addressesShape = z.object({
  databaseUrl: z.string(),
  /** An embedded Postgres with the login of requests. */
  databaseRequestUrl: z.string().optional(),
  redisUrl: z.string(),
});

/** The addresses of Postgres and Redis. Those of embedded servers contain passwords: never log them. */
export type ServerAddresses = z.infer<typeof addressesShape>;

/** Options of {@link startEmbeddedServers}. */
export interface EmbeddedServersOptions {
  dataDir: string;
  durability?: Durability;
  /** Starts from a migrated, empty cluster with a shared password; only for temporary data. */
  fromTemplate?: boolean;
  /** The operator's own servers; a server whose address is given is not started. */
  databaseUrl?: string;
  redisUrl?: string;
  /** A watchdog shared with other children of this process; by default these servers get their own. */
  watchdog?: Watchdog;
  log: (line: string) => void;
  /** Tests and benchmarks create databases, so they sign in as the superuser. */
  asSuperuser?: boolean;
  /**
   * Called when a server ended too often to be restarted; by default the process prints the reason and exits with 1.
   */
  onLost?: (error: Error) => void;
}

/** Started servers. */
export interface EmbeddedServers extends ServerAddresses {
  /** Stops the started servers and releases the folder's lock. A second call waits for the first. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres and Redis in `dataDir` and holds the lock of that folder until they are stopped. They end with this
 * process, even when it is killed. Every error's message is a sentence for the operator.
 */
export async function startEmbeddedServers(options: EmbeddedServersOptions): Promise<EmbeddedServers> {
  const held = await holdDataDir(options);
  const started: EmbeddedServer[] = [];
  const stop = async () => {
    await rm(held.serversFile, { force: true });
    await Promise.all(started.map((server) => server.stop()));
    await held.release();
  };
  let databaseRequestUrl: string | undefined;
  const begin = async (given: string | undefined, start: () => Promise<EmbeddedServer>) => {
    if (given !== undefined) return given;
    const server = await start();
    started.push(server);
    return server.url;
  };

  const [database, redis] = await Promise.allSettled([
    begin(options.databaseUrl, async () => {
      if (options.fromTemplate) await copyClusterTemplate(held.shared);
      const postgres = await startEmbeddedPostgres({
        ...held.shared,
        durability: options.durability ?? 'full',
        asSuperuser: options.asSuperuser ?? false,
      });
      databaseRequestUrl = postgres.requestUrl;
      return postgres;
    }),
    begin(options.redisUrl, () => startEmbeddedRedis(held.shared)),
  ]);
  if (database.status === 'rejected' || redis.status === 'rejected') {
    await stop();
    throw (database.status === 'rejected' ? database : (redis as PromiseRejectedResult)).reason as Error;
  }
  const found: ServerAddresses = {
    databaseUrl: database.value,
    ...(databaseRequestUrl !== undefined && { databaseRequestUrl }),
    redisUrl: redis.value,
  };
  await writeFile(held.serversFile, JSON.stringify(found), { mode: 0o600 });
  let stopped: Promise<void> | undefined;
  return { ...found, stop: () => (stopped ??= stop()) };
}

/**
 * Starts only the Postgres of a folder, for a command that runs while the service is stopped; set `isRestore` when the
 * command fills the folder.
 */
export async function startEmbeddedDatabase(
  options: Pick<EmbeddedServersOptions, 'dataDir' | 'log' | 'asSuperuser'> & { isRestore?: boolean },
): Promise<{ databaseUrl: string; databaseRequestUrl: string; stop(): Promise<void> }> {
  const held = await holdDataDir(options);
  try {
    const postgres = await startEmbeddedPostgres({
      ...held.shared,
      durability: 'full',
      ...(options.asSuperuser && { asSuperuser: true }),
    });
    return {
      databaseUrl: postgres.url,
      databaseRequestUrl: postgres.requestUrl,
      stop: async () => {
        await postgres.stop();
        await held.release();
      },
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

async function holdDataDir(
  options: Pick<EmbeddedServersOptions, 'dataDir' | 'watchdog' | 'log' | 'onLost'> & { isRestore?: boolean },
): Promise<{ shared: EmbeddedServerOptions; serversFile: string; release(): Promise<void> }> {
  const path = resolve(options.dataDir);
  await mkdir(path, { recursive: true, mode: DATA_DIR_MODE });
  const dataDir = await realpath(path);
  if (!options.isRestore && (await stat(join(dataDir, RESTORE_MARKER)).catch(() => null)) !== null)
    throw new Error(
      `A restore into ${dataDir} was interrupted, and its data is incomplete. Empty the folder and restore again`,
    );
  const watchdog = options.watchdog ?? Watchdog.start();
  const closeOwn = async (): Promise<void> => {
    if (options.watchdog === undefined) await watchdog.close();
  };
  const lock = await lockDataDir(dataDir, watchdog).catch(async (error: unknown) => {
    await closeOwn();
    throw error;
  });
  const serversFile = join(dataDir, SERVERS_FILE);
  // A killed service leaves its file behind, with addresses where nothing listens.
  await rm(serversFile, { force: true });
  return {
    shared: { dataDir, watchdog, log: options.log, onLost: options.onLost ?? giveUp },
    serversFile,
    release: async () => {
      await lock.release();
      await closeOwn();
    },
  };
}

/** The addresses of the servers of a running service on this folder; null when none runs. */
export async function runningServers(dataDir: string): Promise<ServerAddresses | null> {
  if ((await dataDirHolder(resolve(dataDir))) === null) return null;
  const text = await readFile(join(resolve(dataDir), SERVERS_FILE), 'utf8').catch(() => null);
  return text === null ? null : addressesShape.parse(JSON.parse(text));
}

function giveUp(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
