import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { usableMemory } from '../common/usable-memory.js';
import { endProcess } from './end-process.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { Launcher, PostgresUser } from './postgres-user.js';
import { commandLine, executableOf, processesWorkingIn, startOfProcess } from './process-identity.js';

const run = promisify(execFile);
const INITDB_TIMEOUT_MS = 120_000;

/** `full` is Postgres's default durability; `none` skips syncing, for data that is deleted after a test run. */
export type Durability = 'full' | 'none';

/** Role that the cluster is administered with, and the name of the database. */
export const SUPERUSER = 'scraper';

/**
 * The superuser's password, from the file next to the cluster. Created on first use and readable only by this user.
 * Throws when the file is missing although the cluster exists.
 */
export async function clusterPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres.password');
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (stored !== '') return stored;
  if (await stat(join(dataDir, 'postgres', 'PG_VERSION')).catch(() => null))
    throw new Error(
      `${file} is missing; without it, the Postgres data in ${dataDir} cannot be opened. Restore the file, or choose another DATA_DIR`,
    );
  const password = randomBytes(24).toString('hex');
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

/** Creates the cluster if it is missing, in a temporary folder next to it that is renamed when complete. */
export async function ensureCluster(options: {
  clusterDir: string;
  binaries: PostgresBinaries;
  launcher: Launcher;
  user: PostgresUser | null;
  password: string;
  durability: Durability;
}): Promise<void> {
  const { clusterDir, user } = options;
  if (await stat(join(clusterDir, 'PG_VERSION')).catch(() => null)) return;
  const staging = `${clusterDir}.new`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  const passwordFile = join(staging, 'password');
  const draft = join(staging, 'cluster');
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  if (user !== null)
    await Promise.all([staging, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  await initdb(options, draft, passwordFile);
  await rename(draft, clusterDir);
  await rm(staging, { recursive: true, force: true });
}

async function initdb(
  { binaries, launcher, durability }: Parameters<typeof ensureCluster>[0],
  folder: string,
  passwordFile: string,
): Promise<void> {
  const flags = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by byte order, the same on every machine, with case folding for every alphabet.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--lc-ctype=${await unicodeLocale()}`,
    ...(durability === 'none' ? ['--no-sync', '--no-data-checksums'] : []),
  ];
  const { command, args, options } = launcher(binaries.initdb, flags);
  try {
    await run(command, args, {
      ...options,
      cwd: '/',
      env: postgresEnvironment(),
      timeout: INITDB_TIMEOUT_MS,
    });
  } catch (error) {
    throw new Error(`Postgres could not create its data folder: ${(error as { stderr?: string }).stderr}`, {
      cause: error,
    });
  }
}

/** A UTF-8 locale of the C library, which text search uses to fold case; `C` when the machine has none. */
async function unicodeLocale(): Promise<string> {
  const installed = await run('locale', ['-a']).then(
    ({ stdout }) => stdout.split('\n'),
    () => [],
  );
  return installed.find((name) => /^(C|en_US)\.utf-?8$/i.test(name)) ?? 'C';
}

/** The environment of Postgres programs: none of our variables, so that no `PG...` variable changes their behaviour. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC' };
}

/** Megabytes of the machine's memory that processes of this container may use. */
function memoryMb(): number {
  return usableMemory(totalmem(), process.constrainedMemory()) / 1_048_576;
}

/** Megabytes of Postgres's own cache: a quarter of the memory, as its documentation advises, from 128 MB to 4 GB. */
export function sharedBuffersMb(memory: number): number {
  return Math.min(4_096, Math.max(128, Math.floor(memory / 4)));
}

/**
 * Number of parallel workers for statements: one less than the number of processors, from 1 to 8. With Postgres's
 * default one expensive search may occupy three processors, and several searches all of them.
 */
export function parallelWorkers(processors: number): number {
  return Math.min(8, Math.max(1, processors - 1));
}

/** Server settings as command line arguments. Every user of the machine can read these, so none of them is secret. */
export function serverSettings(port: number, durability: Durability): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    // TCP on loopback is enough, and the path of a Unix socket could exceed the system's limit.
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: `${durability === 'full' ? sharedBuffersMb(memoryMb()) : 128}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(memoryMb() / 2))}MB`,
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    random_page_cost: 1.1,
    max_parallel_workers: parallelWorkers(availableParallelism()),
    wal_level: 'minimal',
    max_wal_senders: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durability === 'none' ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const LEFTOVER_STEPS = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
] as const;

/**
 * Stops a Postgres that a killed service left on this cluster, including its server processes, and removes a stale pid
 * file. Must be called under the data folder's lock, so that every Postgres found here is a leftover. Other programs
 * that work in the folder, such as an editor, are not affected.
 */
export async function clearLeftovers(clusterDir: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch(() => null);
  const pid = text === null ? NaN : Number(text.split('\n', 1)[0]);
  if (Number.isInteger(pid) && pid > 0) {
    const startedAt = await startOfProcess(pid);
    if (startedAt !== null && isPostgresOf(await commandLine(pid), clusterDir)) {
      log(`A Postgres of an earlier service (process ${pid}) is still running on ${clusterDir}; stopping it`);
      await endProcess({ pid, startedAt }, LEFTOVER_STEPS);
    }
  }
  // Server processes that outlive a killed postmaster keep its shared memory.
  for (const orphan of await processesWorkingIn(clusterDir)) {
    const startedAt = await startOfProcess(orphan);
    if (startedAt !== null && (await executableOf(orphan)) === 'postgres')
      await endProcess({ pid: orphan, startedAt }, [{ signal: 'SIGQUIT', waitMs: 5_000 }]);
  }
  if (text !== null && !isPostgresOf(await commandLine(pid), clusterDir)) await rm(pidFile, { force: true });
}

/** Whether a command line is that of a Postgres server on this folder. */
export function isPostgresOf(command: string, clusterDir: string): boolean {
  const words = command.split(' ');
  const folder = command.indexOf(` -D ${clusterDir}`);
  return (
    basename(words[0] ?? '') === 'postgres' &&
    folder !== -1 &&
    /^( |$)/.test(command.slice(folder + 4 + clusterDir.length))
  );
}
