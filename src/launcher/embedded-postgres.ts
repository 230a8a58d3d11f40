import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, open, realpath, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OWNER, provideLogins, REQUEST_LOGIN } from './database-owner.js';
import { freePort } from './free-port.js';
import { lastWordsOf } from './last-words.js';
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

/** Recovery after a crash replays the WAL since the last checkpoint, which our settings limit to 2 GB. */
const READY_TIMEOUT_MS = 180_000;
const POLL_MS = 25;
const PORT_ATTEMPTS = 3;
const LOG_LIMIT_BYTES = 10_000_000;
/** Of a log, for a message to the operator. */
const READ_BYTES = 4_000;

/** A started server. */
export interface EmbeddedServer {
  /** Contains the password: never log it. */
  url: string;
  stop(): Promise<void>;
}

/** A started Postgres, and its address with the login of requests. */
export interface EmbeddedPostgres extends EmbeddedServer {
  requestUrl: string;
}

/** Options of both embedded servers. */
export interface EmbeddedServerOptions {
  /** Absolute path; this process must have its lock. */
  dataDir: string;
  watchdog: Watchdog;
  log: (line: string) => void;
  /** Called when the server ended too often to be restarted. */
  onLost: (error: Error) => void;
}

/**
 * Starts the Postgres of this data folder on a free loopback port; the first start creates its cluster. Without
 * durability it is ended immediately on stop, unless `shutDownCleanly` is set.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedServerOptions & {
    durability: Durability;
    shutDownCleanly?: boolean;
    /** Tests and benchmarks create databases, so they sign in as the superuser. */
    asSuperuser?: boolean;
  },
): Promise<EmbeddedPostgres> {
  const { durability, log, shutDownCleanly = durability === 'full' } = options;
  const dataDir = await realpath(options.dataDir);
  const clusterDir = join(dataDir, 'postgres');
  const binaries = await locatePostgres();
  const user = await postgresUser(clusterDir);
  const launcher = await postgresLauncher(user, binaries, dataDir);
  const password = await clusterPassword(dataDir);
  // New at each start: only the processes of this service know them.
  const passwords = { owner: newPassword(), request: newPassword() };
  await ensureCluster({ clusterDir, binaries, launcher, user, password, durability });
  await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const logFile = join(dataDir, 'logs', 'postgres.log');
  await rotateLog(logFile);

  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const urlOf = (role: string, secret: string): string =>
      `postgres://${role}:${secret}@127.0.0.1:${port}/${SUPERUSER}`;
    const superuserUrl = urlOf(SUPERUSER, password);
    const url = options.asSuperuser ? superuserUrl : urlOf(OWNER, passwords.owner);
    const requestUrl = urlOf(REQUEST_LOGIN, passwords.request);
    const logStart = await sizeOf(logFile);
    try {
      const supervised = await supervise({
        ...options,
        name: 'Postgres',
        rank: RANK.server,
        endingSteps: shutDownCleanly
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
        ready: async (signal) => {
          await untilReady(superuserUrl, signal);
          await provideLogins(superuserUrl, passwords);
        },
        lastWords: async () => {
          const end = await sizeOf(logFile);
          return lastWordsOf(await readFrom(logFile, Math.max(logStart, end - READ_BYTES)), logFile);
        },
        onGaveUp: options.onLost,
      });
      return { url, requestUrl, stop: () => supervised.stop() };
    } catch (error) {
      const output = await readFrom(logFile, logStart);
      if (attempt < PORT_ATTEMPTS && output.includes('could not bind')) continue;
      throw new Error(`${(error as Error).message}${output === '' ? '' : `. Its log:\n${output.trim()}`}`, {
        cause: error,
      });
    }
  }
}

const newPassword = (): string => randomBytes(24).toString('hex');

function spawnLogged(
  { command, args, options }: ReturnType<Awaited<ReturnType<typeof postgresLauncher>>>,
  logFile: string,
): ChildProcess {
  // A file instead of a pipe: when this process has ended, the server still writes its log while the watchdog ends it.
  const sink = openSync(logFile, 'a', 0o600);
  try {
    return spawn(command, args, {
      ...options,
      // Its own process group, so that Ctrl-C reaches only this process and requests in flight can finish.
      detached: true,
      stdio: ['ignore', sink, sink],
      cwd: '/',
      env: postgresEnvironment(),
    });
  } finally {
    closeSync(sink);
  }
}

/** Connects until Postgres answers, which it does not during recovery. */
async function untilReady(url: string, ended: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  let lastError: unknown;
  while (performance.now() < deadline) {
    ended.throwIfAborted();
    const client = new pg.Client({ connectionString: maintenance.href, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return;
    } catch (error) {
      lastError = error;
      await sleep(POLL_MS, undefined, { signal: ended }).catch(() => undefined);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`Postgres does not respond after ${READY_TIMEOUT_MS / 1_000} s: ${String(lastError)}`);
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** Rotates the log file when it has at least 10 MB, and keeps one previous file. */
async function rotateLog(file: string): Promise<void> {
  if ((await sizeOf(file)) > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, position);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
