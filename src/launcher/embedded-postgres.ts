import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, open, realpath, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';
import { locatePostgres } from './postgres-binaries.js';
import {
  clearLeftovers,
  clusterPassword,
  ensureCluster,
  postgresEnvironment,
  serverSettings,
  SUPERUSER,
  type Durability,
} from './postgres-cluster.js';
import { postgresLauncher, postgresUser } from './postgres-user.js';
import { supervise } from './supervisor.js';
import { RANK, type Watchdog } from './watchdog-client.js';

/** Recovery after a crash replays what was written since the last checkpoint; at most 2 GB by our settings. */
const READY_TIMEOUT_MS = 180_000;
const LOOK_EVERY_MS = 25;
const PORT_ATTEMPTS = 3;
const LOG_LIMIT_BYTES = 10_000_000;

export interface EmbeddedServer {
  /** Address with its password: never log it. */
  url: string;
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions {
  /** Absolute; locked by this process. */
  dataDir: string;
  watchdog: Watchdog;
  log: (line: string) => void;
  /** The server ended too often to be brought back. */
  onLost: (error: Error) => void;
}

/** Starts the Postgres of this data folder, made on first use, on a free loopback port. */
export async function startEmbeddedPostgres(
  options: EmbeddedServerOptions & { durability: Durability },
): Promise<EmbeddedServer> {
  const { durability, log } = options;
  const dataDir = await realpath(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  const binaries = await locatePostgres();
  const user = await postgresUser(clusterDir);
  const launcher = await postgresLauncher(user, binaries, dataDir);
  const password = await clusterPassword(dataDir);
  await ensureCluster({ clusterDir, binaries, launcher, user, password, durability });
  await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const logFile = join(dataDir, 'logs', 'postgres.log');
  await keepSmall(logFile);

  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${SUPERUSER}`;
    const begun = await sizeOf(logFile);
    try {
      const supervised = await supervise({
        ...options,
        name: 'Postgres',
        rank: RANK.server,
        endingSteps:
          durability === 'full'
            ? [
                { signal: 'SIGINT', waitMs: 30_000 },
                { signal: 'SIGQUIT', waitMs: 5_000 },
              ]
            : [{ signal: 'SIGQUIT', waitMs: 5_000 }],
        spawn: async () => {
          await clearLeftovers(clusterDir, log);
          const program = launcher(binaries.postgres, [
            '-D',
            clusterDir,
            ...serverSettings(port, durability),
          ]);
          return spawnLogged(program, logFile);
        },
        ready: (signal) => untilReady(url, signal),
        onGaveUp: options.onLost,
      });
      return { url, stop: () => supervised.stop() };
    } catch (error) {
      const said = await readFrom(logFile, begun);
      if (attempt < PORT_ATTEMPTS && said.includes('could not bind')) continue;
      throw new Error(`${(error as Error).message}${said === '' ? '' : `. It said:\n${said.trim()}`}`, {
        cause: error,
      });
    }
  }
}

function spawnLogged(
  { command, args, options }: ReturnType<Awaited<ReturnType<typeof postgresLauncher>>>,
  logFile: string,
): ChildProcess {
  // A file and not a pipe: the server must be able to write while it is ended after our own death.
  const sink = openSync(logFile, 'a', 0o600);
  try {
    return spawn(command, args, {
      ...options,
      // A group of its own, so that Ctrl-C reaches this process alone and requests in flight can finish.
      detached: true,
      stdio: ['ignore', sink, sink],
      cwd: '/',
      env: postgresEnvironment(),
    });
  } finally {
    closeSync(sink);
  }
}

/** Connects until Postgres answers, which it does not while it recovers; makes the database on the way. */
async function untilReady(url: string, ended: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  let last: unknown;
  while (performance.now() < deadline) {
    ended.throwIfAborted();
    const client = new pg.Client({ connectionString: maintenance.href, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [SUPERUSER]);
      if (known.rowCount === 0) await client.query(`CREATE DATABASE ${SUPERUSER}`);
      return;
    } catch (error) {
      last = error;
      await sleep(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`Postgres does not answer after ${READY_TIMEOUT_MS / 1_000} s: ${String(last)}`);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

async function keepSmall(file: string): Promise<void> {
  if ((await sizeOf(file)) > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_000), 0, 4_000, position);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
