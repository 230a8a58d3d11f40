import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { DependencyUnavailableError } from '../../src/common/dependency-unavailable.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { runZstdSync } from '../../src/infrastructure/zstd-command.js';
import { PART_LIMITS } from '../../src/takeout/exports/export-executor.js';
import { ExportLeasesRepository } from '../../src/takeout/exports/export-leases.repository.js';
import { ExportPruner } from '../../src/takeout/exports/export-pruner.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { queryParquet } from '../support/duckdb.js';
import { until } from '../support/until.js';

const POSTS = 2_350;
const COMMENTS = 120;
const PART_ROWS = 1_000;

interface ExportRecord {
  id: string;
  status: string;
  rows: number;
  bytes: number;
  parts: { path: string; rows: number; bytes: number; sha256: string }[];
  error_message: string | null;
  completed_at: string | null;
  expires_at: string | null;
}

interface Identified {
  id: string | number;
}

describe('exports as jobs', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let dataSource: DataSource;
  const limits = { ...PART_LIMITS };

  beforeAll(async () => {
    PART_LIMITS.rows = PART_ROWS;
    service = await startTestApplication({ ROLES: 'api,worker' });
    dataSource = service.app.get(DataSource);
    workspace = await service.createWorkspace();
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: POSTS }, (_, n) => aPost(n)),
    );
    await storeComments(
      service,
      workspace.workspaceId,
      Array.from({ length: COMMENTS }, (_, n) => aComment(n)),
    );
  });
  afterAll(() => {
    Object.assign(PART_LIMITS, limits);
  });

  const create = (body: object, own = workspace) =>
    call<ExportRecord>(service, own, 'POST', '/exports', body);
  const get = (id: string, own = workspace) => call<ExportRecord>(service, own, 'GET', `/exports/${id}`);

  const ended = (id: string, own = workspace): Promise<ExportRecord> =>
    until(
      () => get(id, own),
      ({ status }) => status !== 'pending' && status !== 'running',
    );

  async function exported(body: object, own = workspace): Promise<ExportRecord> {
    const record = await ended((await create(body, own)).id, own);
    expect([record.status, record.error_message]).toEqual(['completed', null]);
    return record;
  }

  async function download(path: string, own = workspace): Promise<Buffer> {
    const response = await fetch(service.url + path, { headers: { 'X-API-Key': own.apiKey } });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  const files = (record: ExportRecord) => Promise.all(record.parts.map(({ path }) => download(path)));

  async function refusal(body: object): Promise<unknown> {
    const response = await fetch(service.url + workspace.path('/exports'), {
      method: 'POST',
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { errors } = (await response.json()) as { errors?: { field: string }[] };
    return [response.status, [...new Set(errors?.map(({ field }) => field))]];
  }

  it('write parts whose bytes, rows and checksums are those of the record', async () => {
    const record = await exported({ of: 'posts', format: 'ndjson' });
    expect(record.parts.map(({ rows }) => rows)).toEqual([1_000, 1_000, 350]);
    expect(record.rows).toBe(POSTS);
    const parts = await files(record);
    expect(parts.map((bytes) => createHash('sha256').update(bytes).digest('hex'))).toEqual(
      record.parts.map(({ sha256 }) => sha256),
    );
    expect(parts.map(({ length }) => length)).toEqual(record.parts.map(({ bytes }) => bytes));
    expect(record.bytes).toBe(Buffer.concat(parts).length);
    const ids = Buffer.concat(parts)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(new Set(ids).size).toBe(POSTS);
    expect(ids).toEqual([...ids].sort());
    const keptMs = Date.parse(record.expires_at!) - Date.parse(record.completed_at!);
    expect(Math.round(keptMs / 86_400_000)).toBe(7);
  });

  it("write Parquet from which DuckDB computes Postgres's sums", async () => {
    const sums = 'count(*)::int AS rows, sum(score)::int AS score, sum(num_comments)::int AS comments';
    const [expected] = await dataSource.query<object[]>(`SELECT ${sums} FROM posts WHERE workspace_id = $1`, [
      workspace.workspaceId,
    ]);
    for (const compression of [undefined, 'gzip', 'zstd']) {
      const record = await exported({ of: 'posts', format: 'parquet', ...(compression && { compression }) });
      expect(await queryParquet(await files(record), `SELECT ${sums} FROM files`)).toEqual([expected]);
    }
  });

  it.each(['gzip', 'zstd'])(
    'compress text with %s, apply filters and export comments',
    async (compression) => {
      const record = await exported({
        of: 'comments',
        format: 'csv',
        compression,
        filters: { author: 'author2', min_score: 10 },
      });
      const [file] = await files(record);
      const text = compression === 'gzip' ? gunzipSync(file!) : runZstdSync(['-d'], file!);
      const lines = text.toString().trimEnd().split('\r\n');
      expect(lines).toHaveLength(1 + record.rows);
      expect(record.rows).toBe(
        Array.from({ length: COMMENTS }, (_, n) => n).filter((n) => n % 5 === 2 && n >= 10).length,
      );
    },
  );

  it.each<[kind: 'posts' | 'comments', filters: Record<string, string | number | boolean>]>([
    ['posts', {}],
    ['posts', { author: "o'neil $1 \\", flair: "';--", q: `batteries -"o'neil $1"` }],
    ['posts', { min_score: -3, max_score: 90, min_comments: 1, post_type: 'self', sentiment: 'positive' }],
    ['posts', { is_nsfw: false, has_media: false, keyword: 'minute', forum: 'TECHNOLOGY' }],
    ['posts', { created_after: '2026-01-01T00:05:00Z', created_before: '2026-01-01T01:20:00+01:00' }],
    ['comments', {}],
    ['comments', { min_score: 5, sentiment: 'positive' }],
  ])('hold the %s of a streamed export for %j', async (kind, filters) => {
    const own = await service.createWorkspace();
    const odd = { author: "o'neil $1 \\", flair: "';--", createdUtc: new Date('2026-01-01T00:06:00.123Z') };
    await storePosts(
      service,
      own.workspaceId,
      Array.from({ length: 60 }, (_, n) => aPost(n, n % 10 === 0 ? odd : {})),
    );
    await storeComments(
      service,
      own.workspaceId,
      Array.from({ length: 60 }, (_, n) => aComment(n)),
    );
    const query = new URLSearchParams({ format: 'json' });
    for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
    const streamed = await download(own.path(`/exports/${kind}?${query.toString()}`), own);
    const expected = JSON.parse(streamed.toString()) as Identified[];
    const record = await exported({ of: kind, format: 'ndjson', filters }, own);
    const lines = (await download(record.parts[0]!.path, own)).toString().trimEnd().split('\n');
    expect(expected.length).toBeGreaterThan(0);
    expect(lines.map((line) => JSON.parse(line) as Identified)).toEqual(
      expected.sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it('keep their files within the quota `media_bytes`, apart from media', async () => {
    const { parts } = await exported({ of: 'posts', format: 'ndjson' });
    const limit = Math.round(1.5 * parts[0]!.bytes);
    const own = await service.createWorkspace();
    await dataSource.query('UPDATE workspaces SET quotas = $2 WHERE id = $1', [
      own.workspaceId,
      { media_bytes: limit },
    ]);
    await dataSource.query('INSERT INTO media_usage (workspace_id, bytes) VALUES ($1, $2)', [
      own.workspaceId,
      2 * limit,
    ]);
    await storePosts(
      service,
      own.workspaceId,
      Array.from({ length: 2 * PART_ROWS }, (_, n) => aPost(n)),
    );
    const cut = await ended((await create({ of: 'posts', format: 'ndjson' }, own)).id, own);
    expect([cut.status, cut.parts.length]).toEqual(['failed', 1]);
    expect(cut.error_message).toContain(`media_bytes exceeded: limit ${limit}, used ${cut.bytes}`);
    await dataSource.query('UPDATE export_parts SET bytes = $2 WHERE workspace_id = $1', [
      own.workspaceId,
      limit,
    ]);
    const another = { of: 'posts', format: 'ndjson', filters: { forum: 'nowhere' } };
    const refused = await requestAs(service, own, 'POST', '/exports').send(another);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({ code: 'quota_exceeded', quota: 'media_bytes', limit, used: limit }),
    ]);
    await call(service, own, 'DELETE', `/exports/${cut.id}`);
    await exported(another, own);
  });

  it('have one readable part without rows', async () => {
    const record = await exported({ of: 'posts', format: 'parquet', filters: { forum: 'nowhere' } });
    expect(record).toMatchObject({ rows: 0, parts: [{ rows: 0 }] });
    expect(await queryParquet(await files(record), 'SELECT count(*)::int AS rows FROM files')).toEqual([
      { rows: 0 },
    ]);
  });

  it('have the same parts after the worker was lost between two of them', async () => {
    const whole = await exported({ of: 'posts', format: 'parquet' });
    const [{ id }] = await dataSource.query<[{ id: string }]>(
      `INSERT INTO exports (workspace_id, id, kind, format, filters, database_id, status, started_at, horizon, lease_owner, lease_until, attempts)
       SELECT workspace_id, gen_random_uuid(), kind, format, filters, database_id, 'running', now(), horizon, 'killed', now() + interval '2 seconds', 1
       FROM exports WHERE workspace_id = $1 AND id = $2 RETURNING id`,
      [workspace.workspaceId, whole.id.slice('export_'.length)],
    );
    await dataSource.query(
      `INSERT INTO export_parts (workspace_id, export_id, number, key, rows, bytes, sha256, last_id)
       SELECT workspace_id, $3, number, key, rows, bytes, sha256, last_id FROM export_parts
       WHERE workspace_id = $1 AND export_id = $2 AND number = 1`,
      [workspace.workspaceId, whole.id.slice('export_'.length), id],
    );
    const resumed = await ended(`export_${id}`);
    const content = ({ parts }: ExportRecord) =>
      parts.map(({ rows, bytes, sha256 }) => [rows, bytes, sha256]);
    expect(content(resumed)).toEqual(content(whole));
  });

  it('fail after five workers in a row were lost without finishing a part', async () => {
    const [{ id }] = await dataSource.query<[{ id: string }]>(
      `INSERT INTO exports (workspace_id, id, kind, format, filters, database_id, status, started_at, horizon, lease_owner, lease_until, attempts)
       VALUES ($1, gen_random_uuid(), 'posts', 'csv', '{}', '', 'running', now(), 1, 'killed', now(), 5) RETURNING id`,
      [workspace.workspaceId],
    );
    const { status, parts, error_message: reason } = await ended(`export_${id}`);
    expect({ status, parts }).toEqual({ status: 'failed', parts: [] });
    expect(reason).toContain('failed 5 times in a row');
  });

  it('contain what was written since their base, and rows that were committed late', async () => {
    const own = await service.createWorkspace();
    await storePosts(service, own.workspaceId, [aPost(1), aPost(2), aPost(3)]);
    const late = dataSource.createQueryRunner();
    await late.startTransaction();
    // Its transaction id is older than the base, but it is committed after it.
    await late.query(`UPDATE posts SET score = 77 WHERE workspace_id = $1 AND id = 't3_000003'`, [
      own.workspaceId,
    ]);
    const base = await exported({ of: 'posts', format: 'json' }, own);
    await late.commitTransaction();
    await late.release();
    await storePosts(service, own.workspaceId, [aPost(2, { score: 99 }), aPost(4)]);
    const next = await exported({ of: 'posts', format: 'json', incremental_from: base.id }, own);
    const response = await fetch(service.url + next.parts[0]!.path, { headers: { 'X-API-Key': own.apiKey } });
    const posts = (await response.json()) as { id: string; score: number }[];
    expect(posts.map(({ id }) => id)).toEqual(['t3_000002', 't3_000003', 't3_000004']);
    expect(posts.map(({ score }) => score).slice(0, 2)).toEqual([99, 77]);
    const nothing = await exported({ of: 'posts', format: 'json', incremental_from: next.id }, own);
    expect(nothing.rows).toBe(0);
  });

  it('are refused with the name of the field', async () => {
    const base = await exported({ of: 'comments', format: 'csv', filters: { author: 'author1' } });
    const valid = { of: 'posts', format: 'csv' };
    expect(await refusal({ ...valid, of: 'jobs' })).toEqual([400, ['of']]);
    expect(await refusal({ ...valid, format: 'xlsx' })).toEqual([400, ['format']]);
    expect(await refusal({ ...valid, filters: { unknown: 1 } })).toEqual([400, ['filters.unknown']]);
    expect(await refusal({ ...valid, filters: { min_score: '5' } })).toEqual([400, ['filters.min_score']]);
    expect(await refusal({ ...valid, filters: { is_nsfw: 'true' } })).toEqual([400, ['filters.is_nsfw']]);
    for (const created_after of ['now', '2024-01-01T00:00:00+23:00'])
      expect(await refusal({ ...valid, filters: { created_after } })).toEqual([
        400,
        ['filters.created_after'],
      ]);
    expect(await refusal({ ...valid, filters: { sort_by: 'score' } })).toEqual([400, ['filters.sort_by']]);
    expect(await refusal({ of: 'comments', format: 'csv', filters: { flair: 'x' } })).toEqual([
      400,
      ['filters.flair'],
    ]);
    for (const from of [base.id, 'export_00000000-0000-4000-8000-000000000000', 'nothing'])
      expect(await refusal({ ...valid, incremental_from: from })).toEqual([400, ['incremental_from']]);
    expect(await refusal({ of: 'comments', format: 'csv', incremental_from: base.id })).toEqual([
      400,
      ['incremental_from'],
    ]);
  });

  it('are refused as incremental where the rows are on other servers', async () => {
    const base = await exported({ of: 'posts', format: 'csv', filters: { forum: 'nowhere' } });
    const next = { of: 'posts', format: 'csv', filters: { forum: 'nowhere' }, incremental_from: base.id };
    // The catalog entry that Citus adds, readable by every role, once a table is distributed.
    await dataSource.query('CREATE TABLE pg_dist_partition (logicalrelid regclass, partmethod "char")');
    await dataSource.query(`INSERT INTO pg_dist_partition VALUES ('posts', 'h')`);
    await dataSource.query('GRANT SELECT ON pg_dist_partition TO PUBLIC');
    try {
      expect(await refusal(next)).toEqual([400, ['incremental_from']]);
    } finally {
      await dataSource.query('DROP TABLE pg_dist_partition');
    }
    await exported(next);
  });

  it('keep the file of a part whose connection is lost after the commit', async () => {
    const transactions = service.get(TransactionRunner);
    const leases = service.get(ExportLeasesRepository);
    const recorded = jest.spyOn(leases, 'recordPart');
    const run = transactions.run.bind(transactions);
    let isLost = false;
    const lost = jest.spyOn(transactions, 'run').mockImplementation(async (work) => {
      const result = await run(work);
      if (isLost || recorded.mock.calls.length === 0) return result;
      isLost = true;
      throw new DependencyUnavailableError('Postgres');
    });
    try {
      const record = await exported({ of: 'posts', format: 'ndjson' });
      expect(isLost).toBe(true);
      expect(record.parts.map(({ rows }) => rows)).toEqual([1_000, 1_000, 350]);
      expect(Buffer.concat(await files(record))).toHaveLength(record.bytes);
    } finally {
      recorded.mockRestore();
      lost.mockRestore();
    }
  });

  it('are deleted with their files, on request and seven days after their end', async () => {
    const folder = join(service.environment.DATA_DIR, 'media/exports', workspace.workspaceId);
    const [removed, expired] = [
      await exported({ of: 'posts', format: 'json' }),
      await exported({ of: 'posts', format: 'json' }),
    ];
    await call(service, workspace, 'DELETE', `/exports/${removed.id}`);
    await dataSource.query(`UPDATE exports SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id.slice('export_'.length),
    ]);
    await service.get(ExportPruner).pruneBatch();
    for (const { id } of [removed, expired]) {
      const response = await fetch(service.url + workspace.path(`/exports/${id}`), {
        headers: { 'X-API-Key': workspace.apiKey },
      });
      expect(response.status).toBe(404);
      expect(await readdir(folder)).not.toContain(id.slice('export_'.length));
    }
  });

  it('append one event when they are completed', async () => {
    const record = await exported({ of: 'comments', format: 'parquet' });
    const events = await dataSource.query<{ data: unknown }[]>(
      `SELECT type, subject_kind, data FROM outbox_events WHERE subject_id = $1`,
      [record.id.slice('export_'.length)],
    );
    expect(events).toEqual([{ type: 'export.completed', subject_kind: 'export', data: record }]);
  });

  it('are counted for Prometheus', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/wss_exports_total\{status="completed"\} \d+/);
  });
});

describe('exports that wait', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api' });
    workspace = await service.createWorkspace();
  });

  it('can be cancelled, once', async () => {
    const { id } = await call<ExportRecord>(service, workspace, 'POST', '/exports', {
      of: 'posts',
      format: 'csv',
    });
    const remove = () => call<{ message: string }>(service, workspace, 'DELETE', `/exports/${id}`);
    expect(await remove()).toEqual({ message: 'Export cancelled' });
    expect(await call<ExportRecord>(service, workspace, 'GET', `/exports/${id}`)).toMatchObject({
      status: 'cancelled',
      parts: [],
    });
    expect(await remove()).toEqual({ message: 'Export deleted' });
  });

  it('are claimed in the order of how many exports run in their workspace', async () => {
    const busy = await service.createWorkspace();
    for (const own of [busy, busy, workspace])
      await call<ExportRecord>(service, own, 'POST', '/exports', { of: 'posts', format: 'csv' });
    const dataSource = service.app.get(DataSource);
    await dataSource.query(
      `UPDATE exports SET status = 'running', started_at = now(), lease_owner = 'a worker', lease_until = now() + interval '1 hour'
       WHERE id = (SELECT id FROM exports WHERE workspace_id = $1 LIMIT 1)`,
      [busy.workspaceId],
    );
    const waiting = await new ExportLeasesRepository(dataSource).findWaiting([], 10, dataSource.manager);
    expect(waiting.map(({ workspaceId, running }) => [workspaceId, running])).toEqual([
      [workspace.workspaceId, 0],
      [busy.workspaceId, 1],
    ]);
    await dataSource.query('DELETE FROM exports');
  });

  it('are limited to 100 per workspace', async () => {
    const create = async ({ path, apiKey }: TestWorkspace): Promise<number> => {
      const response = await fetch(service.url + path('/exports'), {
        method: 'POST',
        headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ of: 'posts', format: 'csv' }),
      });
      return response.status;
    };
    const answers: number[] = [];
    for (let n = 0; n < 101; n += 1) answers.push(await create(workspace));
    expect(answers.filter((status) => status === 201)).toHaveLength(100);
    expect(answers.at(-1)).toBe(429);
    // Exports of another workspace do not count.
    expect(await create(await service.createWorkspace())).toBe(201);
    const page = (offset: number) =>
      call<{ total: number; has_more: boolean }>(
        service,
        workspace,
        'GET',
        `/exports?limit=50&offset=${offset}`,
      );
    expect(await page(0)).toMatchObject({ total: 100, has_more: true });
    expect(await page(50)).toMatchObject({ total: 100, has_more: false });
  });
});
