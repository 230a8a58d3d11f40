import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { DependencyUnavailableError } from '../../../src/common/dependency-unavailable.js';
import { SecretUnreadableError } from '../../../src/infrastructure/secrets/secret-box.js';
import {
  type HeldKey,
  IdempotencyRepository,
  type KeyOwner,
} from '../../../src/access/idempotency/idempotency.repository.js';
import { IdempotencyService } from '../../../src/access/idempotency/idempotency.service.js';
import { WorkListRepository } from '../../../src/collect/scraping/work-list.repository.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { ContractClient, startWithClient } from '../../support/contract.js';

interface JobRow {
  id: string;
  target: string;
  mode?: string;
  progress?: Record<string, unknown>;
}

describe('jobs beyond the interface', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    ({ service, workspace, client } = await startWithClient());
  });

  const create = async (body: Record<string, unknown>): Promise<JobRow> =>
    (await client.post<JobRow>(workspace.path('/jobs'), body)).body;
  const list = async (query: Record<string, string>): Promise<JobRow[]> =>
    (await client.get<{ jobs: JobRow[] }>(workspace.path('/jobs'), { query })).body.jobs;
  const idOf = (job: JobRow): string => job.id.slice('job_'.length);

  it('are listed by target in any case, by mode, and as full records', async () => {
    const full = await create({ target: 'Listed', limit: 7 });
    const monitor = await create({ target: 'listed', mode: 'monitor' });
    await create({ target: 'listed2' });
    expect((await list({ target: 'LISTED' })).map(({ id }) => id)).toEqual([monitor.id, full.id]);
    expect((await list({ target: 'listed', mode: 'monitor' })).map(({ id }) => id)).toEqual([monitor.id]);
    expect(Object.keys((await list({ target: 'listed' }))[0]!)).not.toContain('progress');
    const { body: record } = await client.get<JobRow>(workspace.path(`/jobs/${full.id}`), {
      query: { view: 'full' },
    });
    expect(record).toMatchObject({ limit: 7, plugins: [], schedule_id: null });
    expect(await list({ target: 'listed', mode: 'full', view: 'full' })).toEqual([record]);
  });

  it('are listed by any spelling of their target, in the case that counts', async () => {
    const forum = await create({ target: 'r/Spelled' });
    const user = await create({ target: 'hn:Fishy', target_type: 'user' });
    await create({ target: 'hn:fishy', target_type: 'user' });
    const found = async (target: string) => (await list({ target })).map(({ id }) => id);
    expect(await found('https://www.reddit.com/r/spelled/new')).toEqual([forum.id]);
    expect(await found('r/spelled')).toEqual([forum.id]);
    expect(await found('HN:Fishy')).toEqual([user.id]);
    expect(await found('news.ycombinator.com/user?id=Fishy')).toEqual([user.id]);
    expect(await found('https://example.org/r/spelled')).toEqual([]);
  });

  it('refuse unknown modes and views', async () => {
    const refused: Record<string, string>[] = [{ mode: 'some' }, { view: 'half' }, { target: '' }];
    for (const query of refused)
      expect(await client.get(workspace.path('/jobs'), { query })).toMatchObject({ status: 400 });
  });

  it('are repeated with the same parameters as a new job without a schedule', async () => {
    const parameters = {
      target: 'again',
      target_type: 'user',
      mode: 'history',
      limit: 12,
      download_media: true,
      scrape_comments: false,
      plugins: ['bot_filter'],
    };
    const first = await create(parameters);
    await service.app.get(DataSource).query(
      `UPDATE jobs SET status = 'failed', error_code = 'unavailable', posts_scraped = 3, schedule_id = id,
           config = '{"limit": 12}' WHERE id = $1`,
      [idOf(first)],
    );
    const { status, body: again } = await client.post<JobRow>(
      workspace.path(`/jobs/${first.id}/repeat`),
      undefined,
    );
    expect(status).toBe(201);
    expect(again).toMatchObject({ target: 'again', status: 'pending', posts_scraped: 0, progress: {} });
    expect(again.id).not.toBe(first.id);
    const [row] = await service.app.get(DataSource).query<Record<string, unknown>[]>(
      `SELECT target, target_type, mode, post_limit AS "limit", download_media, scrape_comments, plugins, schedule_id, config
         FROM jobs WHERE id = $1`,
      [idOf(again)],
    );
    expect(row).toEqual({ ...parameters, schedule_id: null, config: { limit: 12 } });
  });

  it('are repeated once for one idempotency key', async () => {
    const { id } = await create({ target: 'once' });
    const headers = { 'Idempotency-Key': 'repeat-once' };
    const path = workspace.path(`/jobs/${id}/repeat`);
    const [one, other] = [
      await client.post(path, undefined, { headers }),
      await client.post(path, undefined, { headers }),
    ];
    expect(other.body).toEqual(one.body);
    expect(await list({ target: 'once' })).toHaveLength(2);
  });

  it('name the code with which they failed', async () => {
    const { id } = await create({ target: 'failed' });
    await service.app
      .get(DataSource)
      .query(`UPDATE jobs SET status = 'failed', error_code = 'target_banned' WHERE id = $1`, [id.slice(4)]);
    const { body } = await client.get<JobRow>(workspace.path(`/jobs/${id}`));
    expect(body.progress).toMatchObject({ error_code: 'target_banned' });
  });
});

interface Page {
  posts: { id: string }[];
  total: number;
  cursor: string;
  has_more: boolean;
}

describe('the posts of a job', () => {
  const stored = [5, 1, 8, 3, 6];
  const jobId = randomUUID();
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;
  let dataSource: DataSource;

  beforeAll(async () => {
    ({ service, workspace, client } = await startWithClient());
    dataSource = service.app.get(DataSource);
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: 10 }, (_, n) => aPost(n, { score: n, forum: n < 5 ? 'chess' : 'music' })),
    );
    await dataSource.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments, status)
       VALUES ($1, $2, 'chess', 'forum', 'full', 100, false, false, 'running')`,
      [workspace.workspaceId, jobId],
    );
    await dataSource.query(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
       SELECT $1, $2, id, position, true FROM unnest($3::text[]) WITH ORDINALITY AS post (id, position)`,
      [workspace.workspaceId, jobId, stored.map((n) => aPost(n).id)],
    );
  });

  const page = async (query: Record<string, string | number>): Promise<Page> =>
    (await client.get<Page>(workspace.path(`/jobs/${jobId}/posts`), { query })).body;
  const ids = (numbers: number[]) => numbers.map((n) => aPost(n).id);

  async function expectPosts(): Promise<void> {
    const all = await page({ sort_by: 'score' });
    expect(all.posts.map(({ id }) => id)).toEqual(ids([8, 6, 5, 3, 1]));
    expect(all.total).toBe(5);
    expect(await page({ forum: 'CHESS', sort_by: 'score', sort_order: 'asc' })).toMatchObject({
      posts: ids([1, 3]).map((id) => ({ id })),
      total: 2,
    });
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const next = await page({ sort_by: 'score', limit: 2, ...(cursor !== '' && { cursor }) });
      seen.push(...next.posts.map(({ id }) => id));
      expect(next).toMatchObject({ total: 5, has_more: pages < 2 });
      cursor = next.cursor;
    }
    expect(seen).toEqual(ids([8, 6, 5, 3, 1]));
  }

  it('are listed during and after it, filtered and paged as all posts are', async () => {
    await expectPosts();
    const { cursor } = await page({ sort_by: 'score', limit: 2 });
    await dataSource.transaction((tx) => workList().complete(workspace.workspaceId, jobId, tx));
    await expectPosts();
    const next = await page({ sort_by: 'score', limit: 2, cursor });
    expect(next.posts.map(({ id }) => id)).toEqual(ids([5, 3]));
  });

  it('are kept by id when their list is emptied, and removed with the job', async () => {
    const kept = () =>
      dataSource.query<{ post_ids: string[] }[]>('SELECT post_ids FROM job_stored_posts WHERE job_id = $1', [
        jobId,
      ]);
    expect(await kept()).toEqual([{ post_ids: ids(stored) }]);
    await dataSource.transaction((tx) => workList().complete(workspace.workspaceId, jobId, tx));
    expect(await kept()).toEqual([{ post_ids: ids(stored) }]);
    await dataSource.transaction((tx) =>
      workList().removeAll([{ workspaceId: workspace.workspaceId, id: jobId }], tx),
    );
    expect(await kept()).toEqual([]);
  });

  it('refuse a cursor of the list of all posts', async () => {
    const all = await client.get<Page>(workspace.path('/posts'), { query: { limit: 2 } });
    const answer = await client.get<{ code: string }>(workspace.path(`/jobs/${jobId}/posts`), {
      query: { cursor: all.body.cursor },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
  });

  const workList = (): WorkListRepository => service.get(WorkListRepository);
});

describe('a record by its id', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
  });

  it.each([
    ['/schedules', { target: 'chess', cron_expression: '@daily' }],
    ['/webhooks', { url: 'https://8.8.8.8/hook', secret: 'a long enough secret of more than 24 bytes' }],
    ['/api-keys', { name: 'Reader', scopes: ['read'] }],
    [
      '/alerts',
      {
        name: 'Words',
        keywords: ['word'],
        channel: 'chat_a',
        channel_config: { webhook_url: 'https://8.8.8.8/hidden' },
      },
    ],
  ])('in %s equals the one in its list, even for keys with the scope read', async (path, body) => {
    const admin = new ContractClient(service, workspace.apiKey);
    const { key } = (
      await admin.post<{ key: string }>(workspace.path('/api-keys'), { name: 'R', scopes: ['read'] })
    ).body;
    await admin.post(workspace.path(path), body);
    for (const client of [admin, new ContractClient(service, key)]) {
      const list = (await client.get<{ id: string }[]>(workspace.path(path))).body;
      const record = list.at(-1)!;
      const { status, body: found } = await client.get(workspace.path(`${path}/${record.id}`));
      expect([status, found]).toEqual([200, record]);
    }
    expect((await admin.get(workspace.path(`${path}/${randomUUID()}`))).status).toBe(404);
  });
});

describe('Idempotency-Key', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    ({ service, workspace, client } = await startWithClient());
  });

  const sql = <T>(text: string, parameters: unknown[] = []) =>
    service.app.get(DataSource).query<T>(text, parameters);
  const createJob = (key: string, body: unknown, apiKey = workspace.apiKey) =>
    client.post<{ id: string; code?: string }>(workspace.path('/jobs'), body, {
      headers: { 'Idempotency-Key': key },
      key: apiKey,
    });

  it('replays the first answer, status and body, and does nothing again', async () => {
    const first = await createJob('replay', { target: 'technology', limit: 5 });
    const repeat = await createJob('replay', { limit: 5, target: 'technology' });
    expect([first.status, repeat.status]).toEqual([201, 201]);
    expect(repeat.body).toEqual(first.body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    const { body } = await client.get<{ total: number }>(workspace.path('/jobs'));
    expect(body.total).toBe(1);
  });

  it('replays the first answer to the same fields in another order, at every level', async () => {
    const createSchedule = async (config: object) => {
      const schedule = { target: 'technology', cron_expression: '@hourly', config };
      const headers = { 'Idempotency-Key': 'nested' };
      return (await client.post(workspace.path('/schedules'), schedule, { headers })).body;
    };
    const first = await createSchedule({ limit: 5, overlap: 'skip' });
    expect(await createSchedule({ overlap: 'skip', limit: 5 })).toEqual(first);
  });

  it('refuses another body with 422', async () => {
    await createJob('reused', { target: 'technology' });
    const other = await createJob('reused', { target: 'programming' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('refuses the same body at another address with 422', async () => {
    await createJob('address', { name: 'x', target: 'technology' }).catch(() => undefined);
    const body = { target: 'technology', cron_expression: '@hourly' };
    await client.post(workspace.path('/schedules'), body, { headers: { 'Idempotency-Key': 'address-2' } });
    const other = await client.post<{ code: string }>(workspace.path('/jobs'), body, {
      headers: { 'Idempotency-Key': 'address-2' },
    });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('refuses repeats with 409 while the first is in progress', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => createJob('together', { target: 'together' })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const { status, body, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.code]).toEqual([409, 'idempotency_conflict']);
      expect(headers.get('retry-after')).toBe('1');
    }
    const { body } = await client.get<{ jobs: { target: string }[] }>(workspace.path('/jobs'));
    expect(body.jobs.filter(({ target }) => target === 'together')).toHaveLength(1);
  });

  it('answers 409 while the stored request has time left, and takes over afterwards', async () => {
    await createJob('crashed', { target: 'crashed' });
    await sql(`UPDATE idempotency_keys SET status = NULL, sealed_body = NULL WHERE key = 'crashed'`);
    expect((await createJob('crashed', { target: 'crashed' })).body.code).toBe('idempotency_conflict');
    await sql(`UPDATE idempotency_keys SET lease_until = now() - interval '1 second' WHERE key = 'crashed'`);
    expect((await createJob('crashed', { target: 'crashed' })).status).toBe(201);
  });

  it("replays a response after the first request's time is up", async () => {
    const { body } = await createJob('answered', { target: 'answered' });
    await sql(`UPDATE idempotency_keys SET lease_until = now() - interval '1 second' WHERE key = 'answered'`);
    expect((await createJob('answered', { target: 'answered' })).body).toEqual(body);
    const [owner] = await sql<[HeldKey]>(
      `SELECT workspace_id AS "workspaceId", api_key_id AS "apiKeyId", key, lease_until::text AS lease FROM idempotency_keys WHERE key = 'answered'`,
    );
    await service.get(IdempotencyService).release(owner);
    expect((await createJob('answered', { target: 'answered' })).body).toEqual(body);
  });

  it.each([
    { method: 'complete', body: { target: 'stored later' }, status: 201 },
    { method: 'release', body: { target: '' }, status: 400 },
  ] as const)('is ended as soon as Postgres is back ($method)', async ({ method, body, status }) => {
    const away = new DependencyUnavailableError('Postgres');
    jest
      .spyOn(service.get(IdempotencyRepository), method)
      .mockRejectedValueOnce(away)
      .mockRejectedValueOnce(away);
    const first = await createJob(method, body);
    expect(first.status).toBe(status);
    let repeat = await createJob(method, body);
    for (let tries = 0; repeat.status === 409 && tries < 1_000; tries += 1)
      repeat = await createJob(method, body);
    expect([repeat.status, repeat.body.id]).toEqual([status, first.body.id]);
    expect(repeat.headers.get('idempotency-replayed')).toBe(method === 'complete' ? 'true' : null);
  });

  it('does not store a refusal, so that a corrected request may use the same key', async () => {
    expect((await createJob('mended', { target: '' })).status).toBe(400);
    expect((await createJob('mended', { target: 'mended' })).status).toBe(201);
  });

  it('expires after 24 hours and removes expired entries', async () => {
    const first = await createJob('old', { target: 'old' });
    await createJob('older', { target: 'old' });
    await sql(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key IN ('old', 'older')`,
    );
    const again = await createJob('old', { target: 'another' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(first.body.id);
    await service.get(IdempotencyService).pruneBatch();
    expect(await sql(`SELECT key FROM idempotency_keys WHERE key IN ('old', 'older')`)).toEqual([
      { key: 'old' },
    ]);
  });

  it('replays a new API key without ever storing it in clear', async () => {
    const create = () =>
      client.post<{ key: string }>(
        workspace.path('/api-keys'),
        { name: 'secret' },
        { headers: { 'Idempotency-Key': 'key' } },
      );
    const { key } = (await create()).body;
    expect((await create()).body.key).toBe(key);
    const [{ dump }] = await sql<[{ dump: string }]>(
      `SELECT string_agg(row_to_json(k)::text, '') || (SELECT string_agg(row_to_json(a)::text, '') FROM api_keys a) AS dump
       FROM idempotency_keys k`,
    );
    expect(dump).not.toContain(key);
    expect(dump).not.toContain(Buffer.from(key).toString('base64url').slice(0, 40));
  });

  it('returns a stored response only to the API key for which it was stored', async () => {
    await createJob('sealed', { target: 'x' });
    const [stored] = await sql<[KeyOwner & { fingerprint: Buffer }]>(
      `SELECT workspace_id AS "workspaceId", api_key_id AS "apiKeyId", key, fingerprint
       FROM idempotency_keys WHERE key = 'sealed'`,
    );
    const begin = (owner: KeyOwner) => service.get(IdempotencyService).begin(owner, stored.fingerprint);
    expect(await begin(stored)).toMatchObject({ answer: { status: 201 } });
    const apiKeyId = randomUUID();
    await sql(`UPDATE idempotency_keys SET api_key_id = $1 WHERE key = 'sealed'`, [apiKeyId]);
    await expect(begin({ ...stored, apiKeyId })).rejects.toThrow(SecretUnreadableError);
  });

  it('identifies a different request with another API key', async () => {
    const { body } = await client.post<{ key: string }>(workspace.path('/api-keys'), {
      name: 'w',
      scopes: ['write'],
    });
    const mine = await createJob('shared', { target: 'x' });
    const theirs = await createJob('shared', { target: 'y' }, body.key);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect((await createJob('shared', { target: 'x' })).body).toEqual(mine.body);
    expect((await createJob('shared', { target: 'y' }, body.key)).body).toEqual(theirs.body);
  });

  it.each([
    ['x'.repeat(255), 201],
    ['x'.repeat(256), 400],
    ['with space', 400],
    ['\u00e9', 400],
  ])('accepts 1 to 255 visible ASCII characters: %.12s gets %i', async (key, status) => {
    expect((await createJob(key, { target: 'shape' })).status).toBe(status);
  });
});
