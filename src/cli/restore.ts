import 'reflect-metadata';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { parseEnvironment, type Environment } from '../config/environment.js';
import { KEEP_ALIVE } from '../database/connections.js';
import { migrationFiles } from '../database/migration-state.js';
import { migrate } from '../database/run-migrations.js';
import { RESTORE_MARKER, startEmbeddedDatabase } from '../launcher/embedded-servers.js';
import { DATA_DIR_MODE } from '../launcher/postgres-user.js';
import { useProxy } from '../infrastructure/outbound-http/proxy-tunnel.js';
import { MediaStore } from '../content/media/media-store.js';
import {
  KEY_FILES,
  readManifest,
  requireUnchanged,
  STORED_FILES_LIST,
  type Manifest,
} from './backups/manifest.js';
import { restoreStoredFiles } from './backups/stored-files.js';
import { addErasureList } from './backups/erasure-list.js';
import { loadTables } from './backups/table-files.js';
import { runCommand, UsageError } from './run-command.js';

const USAGE = 'usage: npm run restore -- --from FOLDER [--erasures FILE]';

/**
 * Restores a backup into the empty `DATA_DIR`, and its rows into the empty database of `DATABASE_URL` if that is set. If
 * it fails it removes the files that it wrote; if it is killed, the service refuses to start on the folder.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, erasures: { type: 'string' } } });
  if (values.from === undefined) throw new UsageError('--from must name the folder of a backup');
  const environment = parseEnvironment(process.env);
  useProxy(environment);
  if (environment.DATABASE_URL !== undefined) await requireEmpty(environment.DATABASE_URL);
  const folder = resolve(values.from);
  const manifest = await readManifest(folder);
  // Rejects a backup of a newer build before anything is written.
  await migrationFiles(manifest.migrations);
  for (const { file, sha256 } of manifest.tables) await requireUnchanged(folder, file, sha256);
  await requireUnchanged(folder, STORED_FILES_LIST, manifest.media.sha256);
  for (const { name, sha256 } of manifest.keys) await requireUnchanged(folder, `keys/${name}`, sha256);
  await restore(environment, folder, manifest, values.erasures ?? null);
  return 0;
}

async function restore(
  environment: Environment,
  folder: string,
  manifest: Manifest,
  erasureList: string | null,
): Promise<void> {
  const { DATA_DIR: dataDir } = environment;
  await claimEmptyFolder(dataDir);
  try {
    await restoreKeys(folder, dataDir, manifest.keys);
    const database = await openDatabase(environment);
    let files: number;
    let erasures = 0;
    try {
      await restoreRows(database.databaseUrl, folder, manifest);
      if (erasureList !== null) erasures = await restoreErasures(database.databaseUrl, erasureList);
      files = await restoreStoredFiles(await MediaStore.open(environment), folder, manifest.media);
    } finally {
      await database.stop();
    }
    await rm(join(dataDir, RESTORE_MARKER));
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Restored the backup of ${manifest.createdAt} into ${dataDir}: ${rows} rows in ${manifest.tables.length} tables, ${files} files`,
    );
    if (erasureList !== null)
      console.log(`${erasures} later erasures are carried out when the service starts`);
  } catch (error) {
    for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true });
    throw error;
  }
}

/** The database of `DATABASE_URL`, or else a new one in `DATA_DIR`. */
async function openDatabase({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
}: Environment): Promise<{ databaseUrl: string; stop(): Promise<void> }> {
  if (databaseUrl !== undefined) return { databaseUrl, stop: () => Promise.resolve() };
  return startEmbeddedDatabase({ dataDir, isRestore: true, log: say });
}

async function requireEmpty(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') LIMIT 1`,
    );
    if (rows.length > 0)
      throw new Error(
        'The database of DATABASE_URL has tables. Name a new, empty one, or unset DATABASE_URL to restore into DATA_DIR',
      );
  });
}

/** The marker exists until the restore is complete, so that no service starts on partial data. */
async function claimEmptyFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: DATA_DIR_MODE });
  if ((await readdir(dataDir)).length > 0)
    throw new Error(
      `The data folder ${dataDir} is not empty. Move it away, or choose another one: DATA_DIR=/some/other/folder`,
    );
  const marker = await open(join(dataDir, RESTORE_MARKER), 'wx', 0o600);
  await marker.close();
}

async function restoreKeys(folder: string, dataDir: string, keys: Manifest['keys']): Promise<void> {
  for (const { name } of keys) {
    if (!KEY_FILES.includes(name)) throw new Error(`The manifest names an unknown key ${name}`);
    await writeFile(join(dataDir, name), await readFile(join(folder, 'keys', name)), { mode: 0o600 });
  }
}

/**
 * Creates the schema of the backup with the migrations that it had, and fills it. Newer migrations run at the next
 * start.
 */
async function restoreRows(databaseUrl: string, folder: string, manifest: Manifest): Promise<void> {
  await migrate(databaseUrl, manifest.migrations);
  await withClient(databaseUrl, (client) => loadTables(client, folder, manifest));
}

/** Adds the erasures of a list that the backup lacks; returns their number. */
async function restoreErasures(databaseUrl: string, file: string): Promise<number> {
  // The backup may be older than the tables of the list.
  await migrate(databaseUrl);
  let added = 0;
  await withClient(databaseUrl, async (client) => {
    added = await addErasureList((sql, parameters) => client.query(sql, parameters), file);
  });
  return added;
}

async function withClient(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    ...KEEP_ALIVE,
    application_name: 'wss-restore',
  });
  await client.connect();
  client.on('error', () => undefined);
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await runCommand(USAGE, main);
