import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { endProcess } from './ending.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { Launcher, PostgresUser } from './postgres-user.js';
import { commandLine, processesWorkingIn, startOfProcess } from './process-identity.js';

const run = promisify(execFile);
const INITDB_TIMEOUT_MS = 120_000;

/** `full` keeps every promise of Postgres; `none` is for data that dies with the run. */
export type Durability = 'full' | 'none';

/** Role that owns the database, and the name of the database. */
export const SUPERUSER = 'scraper';

/** The password kept beside the cluster, made on first use. Only this process's user may read it. */
export async function clusterPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres.password');
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known !== '') return known;
  if (await stat(join(dataDir, 'postgres', 'PG_VERSION')).catch(() => null))
    throw new Error(
      `${file} is missing, and without it the Postgres below ${dataDir} cannot be opened. Restore the file, or choose another DATA_DIR`,
    );
  const password = randomBytes(24).toString('hex');
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

/** Makes the cluster unless it is there. One that was interrupted while it was made never takes the cluster's place. */
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
  const nursery = `${clusterDir}.new`;
  await rm(nursery, { recursive: true, force: true });
  await mkdir(nursery, { mode: 0o700 });
  const passwordFile = join(nursery, 'password');
  const draft = join(nursery, 'cluster');
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  if (user !== null)
    await Promise.all([nursery, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  await initdb(options, draft, passwordFile);
  await rename(draft, clusterDir);
  await rm(nursery, { recursive: true, force: true });
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
    // Byte order for sorting as in locale C, the same on every machine, but case folding for every alphabet.
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
    throw new Error(`Postgres could not make its data folder: ${(error as { stderr?: string }).stderr}`, {
      cause: error,
    });
  }
}

/** Text search folds case by the C library's locale, not by the collation. */
async function unicodeLocale(): Promise<string> {
  const known = await run('locale', ['-a']).then(
    ({ stdout }) => stdout.split('\n'),
    () => [],
  );
  return known.find((name) => /^(C|en_US)\.utf-?8$/i.test(name)) ?? 'C';
}

/** Nothing of ours is of use to Postgres, and its own variables must not steer it. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC' };
}

/** Settings of the server; they hold nothing secret, since a command line can be read by every user. */
export function serverSettings(port: number, durability: Durability): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    // Loopback is enough, and a socket's path may be longer than the system allows.
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: durability === 'full' ? '256MB' : '128MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    random_page_cost: 1.1,
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
 * Stops a Postgres that a killed run left on this cluster, its server processes too, and clears a pid file whose
 * number another program was given since. Only called under the data folder's lock: whatever runs here is a leftover.
 */
export async function clearLeftovers(clusterDir: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch(() => null);
  const pid = text === null ? NaN : Number(text.split('\n', 1)[0]);
  if (Number.isInteger(pid) && pid > 0) {
    const startedAt = await startOfProcess(pid);
    if (startedAt !== null && isPostgresOf(await commandLine(pid), clusterDir)) {
      log(`A Postgres of an earlier run (process ${pid}) still runs on ${clusterDir}; stopping it`);
      await endProcess({ pid, startedAt }, LEFTOVER_STEPS);
    }
  }
  // Server processes that outlive a killed postmaster still hold its shared memory.
  for (const orphan of await processesWorkingIn(clusterDir)) {
    const startedAt = await startOfProcess(orphan);
    if (startedAt !== null && (await commandLine(orphan)).includes('postgres'))
      await endProcess({ pid: orphan, startedAt }, [{ signal: 'SIGQUIT', waitMs: 5_000 }]);
  }
  if (text !== null && !isPostgresOf(await commandLine(pid), clusterDir)) await rm(pidFile, { force: true });
}

/** Whether a command line is that of a Postgres server on this very folder. */
export function isPostgresOf(command: string, clusterDir: string): boolean {
  const words = command.split(' ');
  const folder = command.indexOf(` -D ${clusterDir}`);
  return (
    basename(words[0] ?? '') === 'postgres' &&
    folder !== -1 &&
    /^( |$)/.test(command.slice(folder + 4 + clusterDir.length))
  );
}
