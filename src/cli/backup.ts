import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { VERSION } from '../common/version.js';
import { parseEnvironment, type Environment } from '../config/environment.js';
import { KEEP_ALIVE } from '../database/connections.js';
import { isMigrated } from '../database/migration-state.js';
import { useProxy } from '../infrastructure/outbound-http/proxy-tunnel.js';
import { MediaStore } from '../content/media/media-store.js';
import { KEY_FILES, writeManifest, type Manifest } from './backups/manifest.js';
import { copyStoredFiles, listStoredFiles, stillNamed } from './backups/stored-files.js';
import { dumpTables, readSequences } from './backups/table-files.js';
import { runCommand, UsageError } from './run-command.js';
import { withServiceDatabase, type DatabaseEnvironment } from './service-database.js';

const USAGE = 'usage: npm run backup -- --to FOLDER';
/** Rows are read again when files that they refer to were deleted since, as happens hourly to expired exports. */
const ATTEMPTS = 5;
const LOCK_TIMEOUT_MS = 60_000;

/**
 * Writes a backup of the service's rows, stored files and keys as one consistent snapshot, while the service may be
 * running.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  if (values.to === undefined) throw new UsageError('--to must name a folder');
  const environment = parseEnvironment(process.env);
  useProxy(environment);
  const folder = resolve(values.to);
  await makeEmpty(folder);
  await withServiceDatabase(environment, (found) => backUp(found, folder));
  return 0;
}

async function backUp(environment: DatabaseEnvironment, folder: string): Promise<void> {
  if (!(await isMigrated(environment.DATABASE_URL)))
    throw new Error('The database is older than this build. Start the service once, then back it up');
  try {
    const manifest = await writeBackup(environment, folder);
    report(folder, manifest, environment);
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    throw error;
  }
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Name a folder that is empty or does not exist`);
  await chmod(folder, 0o700);
}

async function writeBackup(
  environment: DatabaseEnvironment,
  folder: string,
): Promise<Omit<Manifest, 'format'>> {
  const store = await MediaStore.open(environment);
  const client = new pg.Client({
    connectionString: environment.DATABASE_URL,
    ...KEEP_ALIVE,
    application_name: 'wss-backup',
  });
  await client.connect();
  // Connection failures between queries arrive here; the next query then fails.
  client.on('error', () => undefined);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const rows = await dumpRows(client, folder);
      const media = await copyStoredFiles(store, folder);
      const named = media.unavailable.length > 0 ? await stillNamed(client, media.unavailable) : [];
      if (named.length === media.unavailable.length) {
        const manifest = { ...rows, media, keys: await copyKeys(environment.DATA_DIR, folder) };
        await writeManifest(folder, manifest);
        return manifest;
      }
      if (attempt === ATTEMPTS)
        throw new Error('Files were deleted during every attempt to copy them. Repeat the backup later');
    }
  } finally {
    await client.end();
  }
}

/** Writes all rows and the list of stored files from one snapshot of the database. */
async function dumpRows(
  client: pg.Client,
  folder: string,
): Promise<Omit<Manifest, 'format' | 'media' | 'keys'>> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  const { rows: now } = await client.query<{ at: Date; version: string }>(
    `SELECT now() AS at, current_setting('server_version') AS version`,
  );
  const { rows: migrations } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY id',
  );
  const tables = await dumpTables(client, folder);
  const sequences = await readSequences(client);
  await listStoredFiles(client, folder);
  await client.query('COMMIT');
  return {
    createdAt: now[0]!.at.toISOString(),
    serviceVersion: VERSION,
    postgresVersion: now[0]!.version,
    migrations: migrations.map(({ name }) => name),
    tables,
    sequences,
  };
}

async function copyKeys(dataDir: string, folder: string): Promise<Manifest['keys']> {
  await mkdir(join(folder, 'keys'), { mode: 0o700, recursive: true });
  const keys: Manifest['keys'] = [];
  for (const name of KEY_FILES) {
    const content = await readFile(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (content === null) continue;
    await writeFile(join(folder, 'keys', name), content, { mode: 0o600 });
    keys.push({ name, sha256: createHash('sha256').update(content).digest('hex') });
  }
  return keys;
}

function report(folder: string, { tables, media, keys }: Omit<Manifest, 'format'>, env: Environment): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `Backup ${folder}: ${rows} rows of ${tables.length} tables, ${media.files} files (${media.bytes} bytes), keys ${keys.map(({ name }) => name).join(', ') || 'none'}`,
  );
  const { length: missing } = media.unavailable;
  if (missing > 0)
    console.error(
      `${missing} files in the database are missing or damaged in the media store; the manifest lists them`,
    );
  if (env.ENCRYPTION_KEY !== undefined)
    console.error('ENCRYPTION_KEY is set in the environment and not part of the backup; keep a copy of it');
}

await runCommand(USAGE, main);
