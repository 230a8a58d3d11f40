import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MIGRATIONS_FOLDER } from '../database/migration-state.js';
import { startEmbeddedPostgres, type EmbeddedServerOptions } from './embedded-postgres.js';
import { locatePostgres } from './postgres-binaries.js';
import { runProgram } from './programs.js';
import { DATA_DIR_MODE } from './postgres-user.js';

const run = promisify(execFile);
const TEMPLATES = join(import.meta.dirname, '../../.cluster-templates');
const COPY_TIMEOUT_MS = 60_000;
const KEEP_OTHERS_MS = 24 * 3_600_000;

/**
 * Creates a migrated, empty cluster in `dataDir` by copying a template stored next to the compiled code. The first call
 * creates the template in about 3 s; later calls take 0.1 s. All copies have the template's password, so use this only
 * for temporary data. Does nothing when the template cannot be stored; the cluster is then created as usual.
 */
export async function copyClusterTemplate(options: EmbeddedServerOptions): Promise<void> {
  const folder = join(TEMPLATES, await templateKey());
  if ((await stat(folder).catch(() => null)) === null && !(await createTemplate(folder, options))) return;
  const parts = ['postgres', 'postgres.password'].map((name) => join(folder, name));
  // Not fs.cp: the copies must keep their owner, which is another user when this process is root.
  await run('cp', ['-a', ...parts, options.dataDir], { timeout: COPY_TIMEOUT_MS });
}

/** Changes with everything that determines the template's content. */
async function templateKey(): Promise<string> {
  const hash = createHash('sha256');
  const files = await readdir(MIGRATIONS_FOLDER, { recursive: true });
  const migrations = files.filter((name) => name.endsWith('.js')).sort();
  const code = [
    'postgres-cluster.js',
    'database-owner.js',
    'cluster-template.js',
    '../database/secured-rows.js',
  ].map((name) => join(import.meta.dirname, name));
  for (const file of [...migrations.map((name) => join(MIGRATIONS_FOLDER, name)), ...code])
    hash.update(file).update(await readFile(file));
  const { postgres } = await locatePostgres();
  const { mtimeMs, size } = await stat(postgres);
  return hash.update(`${postgres} ${mtimeMs} ${size} ${process.getuid?.()}`).digest('hex').slice(0, 32);
}

/** Returns false when the folder cannot be written. The template appears complete or not at all. */
async function createTemplate(folder: string, options: EmbeddedServerOptions): Promise<boolean> {
  const staging = `${folder}.${randomUUID()}`;
  const created = await mkdir(staging, { recursive: true, mode: DATA_DIR_MODE }).then(
    () => true,
    () => false,
  );
  if (!created) return false;
  options.watchdog.removeAtEnd(staging);
  options.log('Preparing the database template for temporary services (once per build)');
  const server = await startEmbeddedPostgres({
    ...options,
    dataDir: staging,
    durability: 'none',
    // A copy of a cluster that was not shut down would have to recover at each start.
    shutDownCleanly: true,
  });
  try {
    await runProgram('migrate', { PATH: process.env.PATH, DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
  await removeOldTemplates(TEMPLATES);
  await rename(staging, folder).catch(async (error: NodeJS.ErrnoException) => {
    // Another process was faster.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(staging, { recursive: true, force: true });
  });
  return true;
}

/** Removes the templates in a folder that were created more than a day ago; they belong to other builds. */
export async function removeOldTemplates(templates: string): Promise<void> {
  for (const name of await readdir(templates)) {
    const folder = join(templates, name);
    const found = await stat(folder).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > KEEP_OTHERS_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
