import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './postgres-binaries.js';

/**
 * Mode of a data folder. When started by root, Postgres runs as another user, which must be able to enter the folder.
 */
export const DATA_DIR_MODE = process.getuid?.() === 0 ? 0o711 : 0o700;

const run = promisify(execFile);

/** The user that Postgres runs as when this process is root, because Postgres refuses to run as root. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/** How to start a Postgres program: directly, or as another user with access to our folders. */
export interface Launch {
  command: string;
  args: string[];
  options: { uid?: number; gid?: number };
}
/** Returns the command to spawn for a Postgres program and its arguments. */
export type Launcher = (program: string, args: string[]) => Launch;

/**
 * Null when this process is not root. For root, the owner of an existing cluster, the `postgres` user or `nobody`, in
 * this order. Throws when the cluster belongs to another user, or no user is available.
 */
export async function postgresUser(clusterDir: string): Promise<PostgresUser | null> {
  const cluster = await stat(clusterDir).catch(() => null);
  const me = process.getuid?.();
  if (me !== 0) {
    if (cluster !== null && me !== undefined && cluster.uid !== me)
      throw new Error(
        `${clusterDir} belongs to another user (uid ${cluster.uid}). Start as that user, or choose another DATA_DIR`,
      );
    return null;
  }
  if (cluster !== null && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (ids[0] !== null && ids[1] !== null) return { uid: ids[0], gid: ids[1] };
  }
  throw new Error(
    'Postgres refuses to run as root and this machine has neither a "postgres" nor a "nobody" user. ' +
      'Start the service as an ordinary user, or set DATABASE_URL to your own Postgres',
  );
}

/**
 * Finds, by trying, a way for that user to run Postgres and reach `dataDir`. When the project or the data folder is
 * inside a folder closed to other users, such as /root, Postgres gets only the one capability to read past folder
 * permissions.
 */
export async function postgresLauncher(
  user: PostgresUser | null,
  { initdb }: PostgresBinaries,
  dataDir: string,
): Promise<Launcher> {
  const direct: Launcher = (command, args) => ({ command, args, options: user ?? {} });
  if (user === null) return direct;
  const candidates = [
    direct,
    throughSetpriv(user, 'dac_read_search'),
    // Containers often lack the first capability but have this broader one.
    throughSetpriv(user, 'dac_override'),
  ];
  for (const launcher of candidates)
    if (
      // `--show` finds the other programs and prints settings; it creates nothing.
      (await works(launcher(initdb, ['--show', `--pgdata=${dataDir}`]))) &&
      (await works(launcher('/bin/ls', ['-d', `${dataDir}/.`])))
    )
      return launcher;
  throw new Error(
    `Postgres refuses to run as root, and the user that runs it instead (uid ${user.uid}) cannot access ${initdb} or ${dataDir}. ` +
      'Move the project and DATA_DIR to a folder that every user can access, for example below /srv or /var/lib, ' +
      'start the service as an ordinary user, or set DATABASE_URL to your own Postgres',
  );
}

function throughSetpriv(user: PostgresUser, capability: string): Launcher {
  return (program, args) => ({
    command: 'setpriv',
    args: [
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
      // Without it access(2), which Postgres uses to find its programs, ignores the capability of an unprivileged user.
      '--securebits=+no_setuid_fixup',
      '--',
      program,
      ...args,
    ],
    options: {},
  });
}

function works({ command, args, options }: Launch): Promise<boolean> {
  return run(command, args, { ...options, cwd: '/', timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

async function idOf(flag: string, name: string): Promise<number | null> {
  const text = await run('id', [flag, name]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  return /^\d+$/.test(text) ? Number(text) : null;
}
