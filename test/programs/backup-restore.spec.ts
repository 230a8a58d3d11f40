import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { readManifest, type Manifest } from '../../src/cli/backups/manifest.js';
import { runSqlOn } from '../../src/database/run-sql.js';
import { findGap } from '../../src/database/secured-rows.js';
import { startEmbeddedDatabase } from '../../src/launcher/embedded-servers.js';
import { startFromCommand, type StartedService } from '../support/started-service.js';
import { connect } from '../support/database.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CLI = join(import.meta.dirname, '../../src/cli');
/** Far fewer than the 600 requests a minute that a key may send. */
const POLL_MS = 250;
const SERVICE_VARIABLES = { PORT: '0', MEDIA_MIN_FREE_BYTES: '0' };

interface JobView {
  id: string;
  status: string;
  posts_scraped: number;
}

const started: StartedService[] = [];

async function start(dataDir: string): Promise<StartedService> {
  const service = await startFromCommand(['--json'], { ...SERVICE_VARIABLES, DATA_DIR: dataDir });
  started.push(service);
  return service;
}

function run(
  program: 'backup' | 'restore' | 'workspace',
  args: string[],
  variables: NodeJS.ProcessEnv,
): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [join(CLI, `${program}.js`), ...args],
      { env: { PATH: process.env.PATH, ...variables } },
      (error, _stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stderr: stderr.trim() }),
    ),
  );
}

/** Runs what `npm run backup` runs next to a running service, whose Postgres is listed in `servers.json`. */
async function backup(dataDir: string, to: string): Promise<Manifest> {
  await runBeside(dataDir, 'backup', ['--to', to]);
  return readManifest(to);
}

async function runBeside(dataDir: string, program: 'backup' | 'workspace', args: string[]): Promise<void> {
  const { databaseUrl } = JSON.parse(await readFile(join(dataDir, 'servers.json'), 'utf8')) as {
    databaseUrl: string;
  };
  expect(await run(program, args, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl })).toEqual({
    code: 0,
    stderr: '',
  });
}

async function call<T>(service: StartedService, path: string, body?: object): Promise<T> {
  const { base_url, workspace_id, api_key } = service.line;
  const response = await fetch(`${base_url}/api/v1/workspaces/${workspace_id}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-API-Key': api_key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

const jobUntil = (
  service: StartedService,
  id: string,
  reached: (job: JobView) => boolean,
): Promise<JobView> => until(() => call<JobView>(service, `/jobs/${id}`), reached, { everyMs: POLL_MS });

/** The rows of every table of a backup, sorted, by table. */
async function rowsOf(path: string, { tables }: Manifest): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { name, file } of tables)
    rows[name] = gunzipSync(await readFile(join(path, file)))
      .toString()
      .split('\n')
      .sort();
  return rows;
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
}

const folder = await temporaryFolder();
beforeAll(async () => {
  await chmod(folder, 0o711);
});

afterAll(async () => {
  await Promise.all(started.map((service) => service.end('SIGTERM')));
});

it('restores what was backed up while a job was executed, which continues', async () => {
  const [dataDir, first, second] = ['data', 'first', 'second'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const service = await start(dataDir);
  const job = await call<JobView>(service, '/jobs', { target: 'pictures', limit: 900 });
  const pending = await call<JobView>(service, '/jobs', { target: 'technology', limit: 20 });
  await jobUntil(service, job.id, ({ posts_scraped }) => posts_scraped >= 100);
  for (let stored: string[] = []; stored.length < 5; await sleep(20))
    stored = await filesOf(join(dataDir, 'media')).catch(() => []);
  const exported = await call<{ id: string }>(service, '/exports', { of: 'posts', format: 'csv' });
  await until(
    () => call<{ status: string }>(service, `/exports/${exported.id}`),
    ({ status }) => status === 'completed',
  );
  const manifest = await backup(dataDir, first);
  expect((await call<JobView>(service, `/jobs/${job.id}`)).status).toBe('running');
  expect(manifest.media).toMatchObject({ unavailable: [] });
  expect(manifest.media.files).toBeGreaterThan(4);
  const parts = (await filesOf(join(first, 'media'))).filter((path) => path.startsWith('exports/'));
  expect(parts).toHaveLength(1);
  expect(manifest.tables.find(({ name }) => name === 'posts')!.rows).toBeGreaterThanOrEqual(100);
  for (const path of await filesOf(first)) expect((await stat(join(first, path))).mode & 0o777).toBe(0o600);
  expect((await stat(first)).mode & 0o777).toBe(0o700);
  await service.end();
  await rm(dataDir, { recursive: true });

  expect(await run('restore', ['--from', first], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect(await filesOf(join(dataDir, 'media'))).toEqual(await filesOf(join(first, 'media')));
  const database = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  const again = await run('backup', ['--to', second], {
    DATA_DIR: dataDir,
    DATABASE_URL: database.databaseUrl,
  });
  const client = await connect(database.databaseUrl);
  // The cluster is new, and roles are not in the backup.
  expect(await findGap(runSqlOn(client))).toBeNull();
  await client.end();
  await database.stop();
  expect(again).toEqual({ code: 0, stderr: '' });
  const copy = await readManifest(second);
  expect(await rowsOf(second, copy)).toEqual(await rowsOf(first, manifest));
  expect({ ...copy, createdAt: '', tables: [] }).toEqual({
    ...manifest,
    createdAt: '',
    tables: [],
    media: { ...manifest.media, sha256: copy.media.sha256 },
  });
  for (const path of await filesOf(join(first, 'media')))
    expect(
      (await readFile(join(dataDir, 'media', path))).equals(await readFile(join(first, 'media', path))),
    ).toBe(true);

  const restored = await start(dataDir);
  for (const field of ['workspace_id', 'api_key', 'admin_token'] as const)
    expect(restored.line[field]).toBe(service.line[field]);
  for (const { id } of [job, pending])
    expect(
      await jobUntil(restored, id, ({ status }) => status !== 'pending' && status !== 'running'),
    ).toMatchObject({
      status: 'completed',
    });
  const { total } = await call<{ total: number }>(restored, '/posts?limit=1');
  expect(total).toBe(920);
  const later = await call<JobView>(restored, '/jobs', { target: 'programming', limit: 10 });
  expect(await jobUntil(restored, later.id, ({ status }) => status === 'completed')).toMatchObject({
    posts_scraped: 10,
  });
  await restored.end();
});

it('carries out erasures later than the backup, which a scrape does not undo', async () => {
  const [dataDir, path, list] = ['erased', 'before-erasure', 'erasures.ndjson'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const scrape = async (service: StartedService): Promise<void> => {
    const { id } = await call<JobView>(service, '/jobs', { target: 'technology', limit: 20 });
    await jobUntil(service, id, ({ status }) => status === 'completed');
  };
  const erasuresEnd = (service: StartedService) =>
    until(
      () => call<{ erasures: { status: string }[] }>(service, '/erasures'),
      ({ erasures }) => erasures.length === 1 && erasures[0]!.status === 'completed',
      { everyMs: POLL_MS },
    );
  const service = await start(dataDir);
  await scrape(service);
  const { posts } = await call<{ posts: { author: string }[] }>(service, '/posts?limit=20');
  const { author } = posts.find((post) => post.author !== '[deleted]')!;
  const countOf = async (of: StartedService): Promise<number> =>
    (await call<{ total: number }>(of, `/posts?author=${author}`)).total;
  await backup(dataDir, path);
  await call(service, '/erasures', { source: 'reddit', author });
  await erasuresEnd(service);
  await runBeside(dataDir, 'workspace', ['erasures', '--to', list]);
  expect(await readFile(list, 'utf8')).not.toContain(author);
  await service.end();
  await rm(dataDir, { recursive: true });

  expect(await run('restore', ['--from', path, '--erasures', list], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
  });
  const restored = await start(dataDir);
  await erasuresEnd(restored);
  expect(await countOf(restored)).toBe(0);
  await scrape(restored);
  expect(await countOf(restored)).toBe(0);
  expect((await call<{ total: number }>(restored, '/posts')).total).toBeGreaterThan(0);
  await restored.end();
});

it('refuses unusable folders and incomplete or changed backups', async () => {
  const [first, dataDir] = [join(folder, 'first'), join(folder, 'refused')];
  const restore = (from: string) => run('restore', ['--from', from], { DATA_DIR: dataDir });
  const refusal = (words: string) => ({ code: 1, stderr: expect.stringContaining(words) as string });
  expect(await run('backup', [], {})).toMatchObject({ code: 2 });
  expect(await run('restore', [], {})).toMatchObject({ code: 2 });
  const changed = join(folder, 'changed');
  await cp(first, changed, { recursive: true });
  const [medium] = await filesOf(join(changed, 'media'));
  await appendFile(join(changed, 'media', medium!), 'x');
  expect(await restore(changed)).toEqual(refusal('was changed or damaged'));
  // Files restored before the changed one was found have been removed.
  expect(await readdir(dataDir)).toEqual([]);
  await appendFile(join(changed, 'tables/posts.copy.gz'), 'x');
  expect(await restore(changed)).toEqual(refusal('tables/posts.copy.gz'));
  const text = await readFile(join(changed, 'manifest.json'), 'utf8');
  await writeFile(
    join(changed, 'manifest.json'),
    text.replace('"Baseline1800000200000"', '"Later1999999999999"'),
  );
  expect(await restore(changed)).toEqual(refusal('lacks the migration Later1999999999999'));
  await rm(join(changed, 'manifest.json'));
  expect(await restore(changed)).toEqual(refusal('is not a complete backup'));

  await writeFile(join(dataDir, 'restore.incomplete'), '');
  expect(await restore(first)).toEqual(refusal('is not empty'));
  await expect(startEmbeddedDatabase({ dataDir, log: () => undefined })).rejects.toThrow('incomplete');
  await mkdir(join(folder, 'full/x'), { recursive: true });
  const database = { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' };
  expect(await run('backup', ['--to', join(folder, 'full')], database)).toEqual(refusal('is not empty'));
});
