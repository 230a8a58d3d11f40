import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { dataDirHolder, lockDataDir } from './data-dir-lock.js';
import {
  startEmbeddedPostgres,
  type EmbeddedServer,
  type EmbeddedServerOptions,
} from './embedded-postgres.js';
import { startEmbeddedRedis } from './embedded-redis.js';
import type { Durability } from './postgres-cluster.js';
import { Watchdog } from './watchdog-client.js';

const SERVERS_FILE = 'servers.json';
const addresses = z.object({ databaseUrl: z.string(), redisUrl: z.string() });

/** Where Postgres and Redis are reached. Embedded ones' addresses hold their passwords: never log them. */
export type ServerAddresses = z.infer<typeof addresses>;

export interface EmbeddedServersOptions {
  dataDir: string;
  durability?: Durability;
  /** Servers of the operator's own; what is given is not started. */
  databaseUrl?: string;
  redisUrl?: string;
  /** One to share with other children of this process; by default these servers get one of their own. */
  watchdog?: Watchdog;
  log: (line: string) => void;
  /** A server ended too often to be brought back; by default the process says so and exits. */
  onLost?: (error: Error) => void;
}

export interface EmbeddedServers extends ServerAddresses {
  /** Stops what was started, frees the folder. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts the servers of a one-machine run below `dataDir` and holds that folder until they are stopped. They end with
 * this process however it ends. Throws with a sentence for the operator.
 */
export async function startEmbeddedServers(options: EmbeddedServersOptions): Promise<EmbeddedServers> {
  const held = await holdDataDir(options);
  const started: EmbeddedServer[] = [];
  const stop = async () => {
    await rm(held.serversFile, { force: true });
    await Promise.all(started.map((server) => server.stop()));
    await held.release();
  };
  const begin = async (given: string | undefined, start: () => Promise<EmbeddedServer>) => {
    if (given !== undefined) return given;
    const server = await start();
    started.push(server);
    return server.url;
  };

  const [database, redis] = await Promise.allSettled([
    begin(options.databaseUrl, () =>
      startEmbeddedPostgres({ ...held.shared, durability: options.durability ?? 'full' }),
    ),
    begin(options.redisUrl, () => startEmbeddedRedis(held.shared)),
  ]);
  if (database.status === 'rejected' || redis.status === 'rejected') {
    await stop();
    throw (database.status === 'rejected' ? database : (redis as PromiseRejectedResult)).reason as Error;
  }
  const found: ServerAddresses = { databaseUrl: database.value, redisUrl: redis.value };
  await writeFile(held.serversFile, JSON.stringify(found), { mode: 0o600 });
  let stopped: Promise<void> | undefined;
  return { ...found, stop: () => (stopped ??= stop()) };
}

/** Starts the Postgres of a folder alone, for a command that runs while no service does. */
export async function startEmbeddedDatabase(
  options: Pick<EmbeddedServersOptions, 'dataDir' | 'log'>,
): Promise<{ databaseUrl: string; stop(): Promise<void> }> {
  const held = await holdDataDir(options);
  try {
    const postgres = await startEmbeddedPostgres({ ...held.shared, durability: 'full' });
    return {
      databaseUrl: postgres.url,
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
  options: Pick<EmbeddedServersOptions, 'dataDir' | 'watchdog' | 'log' | 'onLost'>,
): Promise<{ shared: EmbeddedServerOptions; serversFile: string; release(): Promise<void> }> {
  const wanted = resolve(options.dataDir);
  // Root's Postgres runs as another user, who must be able to pass through.
  await mkdir(wanted, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const dataDir = await realpath(wanted);
  const lock = await lockDataDir(dataDir);
  const serversFile = join(dataDir, SERVERS_FILE);
  // Of a run that was killed: its addresses lead nowhere.
  await rm(serversFile, { force: true });
  const watchdog = options.watchdog ?? Watchdog.start();
  return {
    shared: { dataDir, watchdog, log: options.log, onLost: options.onLost ?? giveUp },
    serversFile,
    release: async () => {
      if (options.watchdog === undefined) await watchdog.close();
      await lock.release();
    },
  };
}

/** The servers of a run that is alive on this folder now, null when there is none. */
export async function runningServers(dataDir: string): Promise<ServerAddresses | null> {
  if ((await dataDirHolder(resolve(dataDir))) === null) return null;
  const text = await readFile(join(resolve(dataDir), SERVERS_FILE), 'utf8').catch(() => null);
  return text === null ? null : addresses.parse(JSON.parse(text));
}

function giveUp(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
