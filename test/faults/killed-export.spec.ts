import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { until } from '../support/until.js';

const WORKER = join(import.meta.dirname, 'killed-export-process.js');
const TIMEOUT_MS = 180_000;
const POSTS = 2_350;
const PART_ROWS = 1_000;
const MOMENTS = [
  'a part is partly written',
  'a file is in the store and not recorded',
  'the record of a part is not committed',
  'the end is not committed',
];
/** The two exports of a pair are written by one worker. */
const PAIRS: { format: string; compression?: string }[][] = [
  [{ format: 'csv' }, { format: 'json', compression: 'gzip' }],
  [{ format: 'ndjson' }, { format: 'parquet' }],
];

interface ExportRecord {
  id: string;
  status: string;
  rows: number;
  parts: { path: string; rows: number; bytes: number; sha256: string }[];
  error_message: string | null;
}

const service = await startTestApplication();
const dataSource = service.app.get(DataSource);

describe('an export whose workers are killed', () => {
  let workspace: TestWorkspace;
  const workers: ChildProcess[] = [];

  beforeEach(async () => {
    workspace = await service.createWorkspace();
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: POSTS }, (_one, number) => aPost(number)),
    );
  });
  afterEach(async () => {
    await Promise.all(
      workers.splice(0).map(async (worker) => {
        if (worker.exitCode !== null || worker.signalCode !== null) return;
        const exited = once(worker, 'exit');
        worker.kill('SIGKILL');
        await exited;
      }),
    );
  });

  function startWorker(moment = 'never'): ChildProcess {
    const { DATABASE_URL, REDIS_URL, DATA_DIR } = service.environment;
    const servers = { DATABASE_URL, REDIS_URL, DATA_DIR, HOST: '127.0.0.1', PORT: '0' };
    // Leases that a test prolongs count as running exports.
    const worker = fork(WORKER, [moment, String(PART_ROWS)], {
      env: { ...process.env, ...servers, ROLES: 'worker', LOG_LEVEL: 'silent', QUOTA_RUNNING_EXPORTS: '0' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    workers.push(worker);
    return worker;
  }

  async function killedWhen(moment: string): Promise<void> {
    const worker = startWorker(moment);
    expect(await once(worker, 'exit', { signal: AbortSignal.timeout(TIMEOUT_MS) })).toEqual([
      null,
      'SIGKILL',
    ]);
  }

  const createAll = async (bodies: readonly object[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const body of bodies)
      ids.push(
        (await call<ExportRecord>(service, workspace, 'POST', '/exports', { of: 'posts', ...body })).id,
      );
    return ids;
  };
  const get = (id: string) => call<ExportRecord>(service, workspace, 'GET', `/exports/${id}`);
  const uuidOf = (id: string): string => id.slice('export_'.length);

  const ended = (id: string): Promise<ExportRecord> =>
    until(
      () => get(id),
      ({ status }) => !['pending', 'running'].includes(status),
      { timeoutMs: TIMEOUT_MS },
    );

  /** Ends the leases of a lost worker, or prolongs them beyond the test, so that no real time has to pass. */
  const setLeases = (ids: readonly string[], interval: string) =>
    dataSource.query(
      'UPDATE exports SET lease_until = clock_timestamp() + $2::interval WHERE id = ANY ($1::uuid[])',
      [ids.map(uuidOf), interval],
    );

  async function hashOf(path: string): Promise<string> {
    const response = await fetch(service.url + path, { headers: { 'X-API-Key': workspace.apiKey } });
    return createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex');
  }

  it('has the same parts, byte for byte, as an undisturbed one', async () => {
    const interrupted: string[] = [];
    for (const pair of PAIRS) {
      const ids = await createAll(pair);
      for (const moment of MOMENTS) {
        await killedWhen(moment);
        for (const id of ids) expect(await get(id)).toMatchObject({ status: 'running', error_message: null });
        await setLeases(ids, '0');
      }
      await setLeases(ids, '1 hour');
      interrupted.push(...ids);
    }

    await setLeases(interrupted, '0');
    const alone = await createAll(PAIRS.flat());
    startWorker();
    for (const [index, id] of interrupted.entries()) {
      const resumed = await ended(id);
      const whole = await ended(alone[index]!);
      const content = ({ status, rows, parts }: ExportRecord) => ({
        status,
        rows,
        parts: parts.map(({ rows: partRows, bytes, sha256 }) => [partRows, bytes, sha256]),
      });
      expect(content(resumed)).toEqual(content(whole));
      expect(whole).toMatchObject({ status: 'completed', rows: POSTS });
      expect(whole.parts.map(({ rows }) => rows)).toEqual([1_000, 1_000, 350]);
      expect(await Promise.all(resumed.parts.map(({ path }) => hashOf(path)))).toEqual(
        whole.parts.map(({ sha256 }) => sha256),
      );
      // Files that a killed worker could not record are removed together with the export.
      const folder = join(service.environment.DATA_DIR, 'media/exports', workspace.workspaceId);
      expect(await readdir(join(folder, uuidOf(id)))).not.toHaveLength(resumed.parts.length);
      await call(service, workspace, 'DELETE', `/exports/${id}`);
      expect(await readdir(folder)).not.toContain(uuidOf(id));
    }
  });
});
