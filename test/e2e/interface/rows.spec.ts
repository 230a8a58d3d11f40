import { DataSource } from 'typeorm';
import { aComment, storeComments } from '../../factories/comments.js';
import { aPost, inSnakeCase, storePosts } from '../../factories/posts.js';
import { startWithClient } from '../../support/contract.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const id = (prefix: string) => new RegExp(`^${prefix}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`);

type Body = Record<string, unknown>;
type NewKey = Body & { id: string; key: string };
interface Problem {
  code: string;
  errors?: { field: string }[];
}

const { service, workspace, client } = await startWithClient();

const at = (path: string) => workspace.path(path);
const bareOf = (prefixed: unknown) => String(prefixed).split('_')[1]!;

/** The fields for which a body is refused; empty when it is accepted. */
async function refused(path: string, body: unknown): Promise<string[]> {
  const answer = await client.post<Problem>(at(path), body);
  return answer.status === 201 ? [] : [...new Set(answer.body.errors!.map(({ field }) => field))];
}

/** The fields for which a query is refused; empty when it is accepted. */
async function refusedQuery(path: string, query: Record<string, string | number>): Promise<string[]> {
  const answer = await client.get<Problem>(at(path), { query });
  return answer.status === 200 ? [] : [...new Set(answer.body.errors!.map(({ field }) => field))];
}

/** Deletes by bare or prefixed id, and expects 404 for an id that never existed. */
async function expectDeletion(path: string, prefixed: unknown): Promise<void> {
  expect((await client.delete<Problem>(at(`${path}/${UNKNOWN_ID}`))).body.code).toBe('not_found');
  expect((await client.delete<Problem>(at(`${path}/nonsense`))).status).toBe(400);
  const { status, body } = await client.delete(at(`${path}/${String(prefixed)}`));
  expect([status, Object.keys(body)]).toEqual([200, ['message']]);
}

describe('API keys', () => {
  it('GET /api-keys lists records without the key', async () => {
    const { status, body } = await client.get<Body[]>(at('/api-keys'));
    expect(status).toBe(200);
    expect(body[0]).toEqual({
      id: expect.stringMatching(id('key')),
      name: 'First key',
      key_prefix: workspace.apiKey.slice(0, 11),
      scopes: ['admin'],
      is_active: true,
      last_used_at: expect.stringMatching(TIME),
      created_at: expect.stringMatching(TIME),
    });
  });

  it('POST /api-keys returns the key once, with the default scope', async () => {
    const { status, body } = await client.post(at('/api-keys'), { name: 'n' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(id('key')),
      name: 'n',
      key: expect.stringMatching(/^rp_[0-9A-Za-z]{46}$/),
      key_prefix: String(body.key).slice(0, 11),
      scopes: ['read'],
      is_active: true,
      last_used_at: null,
      created_at: expect.stringMatching(TIME),
    });
  });

  it.each([
    [{ name: 'x'.repeat(255) }, []],
    [{ name: 'x'.repeat(256) }, ['name']],
    [{ name: '❤️'.repeat(128) }, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 5 }, ['name']],
    [{}, ['name']],
    [{ name: 'x', scopes: ['read', 'write', 'admin'] }, []],
    [{ name: 'x', scopes: [] }, ['scopes']],
    [{ name: 'x', scopes: ['root'] }, ['scopes']],
    [{ name: 'x', scopes: 'read' }, ['scopes']],
    [{ name: 'x', scopes: [null] }, ['scopes']],
  ])('POST /api-keys %#: %j is refused for %j', async (body, fields) => {
    expect(await refused('/api-keys', body)).toEqual(fields);
  });

  it('DELETE /api-keys/{key_id} revokes from the next request on', async () => {
    const { body } = await client.post(at('/api-keys'), { name: 'gone' });
    const use = () => client.get<Problem>(at('/jobs'), { key: String(body.key) });
    expect((await use()).status).toBe(200);
    await expectDeletion('/api-keys', body.id);
    expect((await use()).body.code).toBe('revoked_api_key');
    const { body: listed } = await client.get<Body[]>(at('/api-keys'));
    expect(listed.find((key) => key.id === body.id)).toMatchObject({ is_active: false });
  });

  it('POST /api-keys accepts an expiry, after which the key is refused', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await client.post<NewKey>(at('/api-keys'), { name: 'for an hour', expires_at });
    expect(body).not.toHaveProperty('expires_at');
    const use = () => client.get<Problem>(at('/jobs'), { key: body.key });
    const shown = async () =>
      (await client.get(at(`/api-keys/${body.id}`), { query: { view: 'full' } })).body;
    const cookie = (await client.post('/api/v1/session', { api_key: body.key }, { key: null })).headers.get(
      'set-cookie',
    )!;
    const look = () => client.get<Problem>('/api/v1/session', { key: null, headers: { Cookie: cookie } });
    expect([(await use()).status, (await look()).status]).toEqual([200, 200]);
    expect(await shown()).toMatchObject({ is_active: true, expires_at });
    await service.app
      .get(DataSource)
      .query('UPDATE api_keys SET expires_at = now() WHERE id = $1', [body.id.slice(4)]);
    const [refused, ended] = [await use(), await look()];
    expect([refused.status, refused.body.code]).toEqual([401, 'expired_api_key']);
    expect([ended.status, ended.body.code]).toEqual([401, 'expired_api_key']);
    expect(await shown()).toMatchObject({ is_active: false });
    const { body: listed } = await client.get<Body[]>(at('/api-keys'));
    const own = listed.find((key) => key.id === body.id)!;
    expect(own).toMatchObject({ is_active: false });
    expect(own).not.toHaveProperty('expires_at');
    for (const bad of ['2020-01-01T00:00:00Z', '2030-01-01', 'soon'])
      expect((await client.post(at('/api-keys'), { name: 'bad', expires_at: bad })).status).toBe(400);
  });

  it('POST /api-keys/{key_id}/roll creates a new key while the former one stays valid', async () => {
    const { body } = await client.post<NewKey>(at('/api-keys'), {
      name: 'rolled',
      scopes: ['write'],
    });
    const use = async (key: string) => (await client.get<Problem>(at('/jobs'), { key })).status;
    const roll = (id: string, given: object) => client.post<NewKey>(at(`/api-keys/${id}/roll`), given);
    const first = await roll(body.id, { overlap_seconds: 3_600 });
    expect([first.status, first.body]).toMatchObject([
      201,
      { name: 'rolled', scopes: ['write'], is_active: true },
    ]);
    expect([await use(body.key), await use(first.body.key)]).toEqual([200, 200]);
    const former = await client.get<{ expires_at: string }>(at(`/api-keys/${body.id}`), {
      query: { view: 'full' },
    });
    const inMinutes = (new Date(former.body.expires_at).getTime() - Date.now()) / 60_000;
    expect(Math.round(inMinutes)).toBe(60);
    const second = await roll(first.body.id, { overlap_seconds: 0 });
    expect([await use(first.body.key), await use(second.body.key)]).toEqual([401, 200]);
    expect((await roll(first.body.id, {})).status).toBe(404);
    expect((await roll(second.body.id, { overlap_seconds: -1 })).status).toBe(400);
  });

  it('GET /api-keys shows the last use, which is recorded at most once a minute', async () => {
    const uses = async () => {
      await client.get(at('/jobs'));
      const { body } = await client.get<Body[]>(at('/api-keys'));
      return body[0]!.last_used_at;
    };
    expect(await uses()).toBe(await uses());
    await service.app
      .get(DataSource)
      .query(`UPDATE api_keys SET last_used_at = last_used_at - interval '61 seconds'`);
    const [before] = await service.app
      .get(DataSource)
      .query<[{ at: Date }]>('SELECT max(last_used_at) AS at FROM api_keys');
    expect(Date.parse(String(await uses()))).toBeGreaterThan(before.at.getTime());
  });
});

describe('schedules', () => {
  const minimal = { target: 'technology', cron_expression: '*/15 * * * *' };

  it('POST /schedules returns a record with the defaults', async () => {
    const { status, body } = await client.post(at('/schedules'), minimal);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(id('sched')),
      workspace_id: `ws_${workspace.workspaceId}`,
      target: 'technology',
      target_type: 'forum',
      mode: 'history',
      config: {},
      cron_expression: '*/15 * * * *',
      is_active: true,
      last_run_at: null,
      next_run_at: expect.stringMatching(TIME),
      run_count: 0,
      created_at: expect.stringMatching(TIME),
    });
    expect(Date.parse(String(body.next_run_at))).toBeGreaterThan(Date.now() - 1_000);
  });

  it.each([
    [{ ...minimal, target_type: 'user', mode: 'monitor', config: { limit: 5, unknown: 1 } }, []],
    [{ cron_expression: '@daily' }, ['target']],
    [{ target: 'x' }, ['cron_expression']],
    [{ ...minimal, cron_expression: `0 * * * *${' '.repeat(250)}` }, ['cron_expression']],
  ])('POST /schedules %#: %j is refused for %j', async (body, fields) => {
    expect(await refused('/schedules', body)).toEqual(fields);
  });

  it('GET /schedules, PATCH and DELETE /schedules/{schedule_id}', async () => {
    const { body: made } = await client.post(at('/schedules'), minimal);
    const { body: listed } = await client.get<Body[]>(at('/schedules'));
    expect(listed).toContainEqual(made);
    const path = at(`/schedules/${bareOf(made.id)}`);
    const { status, body } = await client.patch(path, {
      is_active: false,
      cron_expression: '@hourly',
      mode: 'full',
    });
    expect([status, body]).toEqual([
      200,
      { id: made.id, target: 'technology', is_active: false, cron_expression: '@hourly', run_count: 0 },
    ]);
    for (const unchangeable of ['target', 'target_type'])
      expect((await client.patch<Problem>(path, { [unchangeable]: 'user' })).body.errors?.[0]?.field).toBe(
        unchangeable,
      );
    expect((await client.patch<Problem>(at(`/schedules/${UNKNOWN_ID}`), {})).status).toBe(404);
    await expectDeletion('/schedules', made.id);
  });
});

describe('scrape jobs', () => {
  const pending = (prefix: string) => ({
    id: expect.stringMatching(id(prefix)),
    workspace_id: `ws_${workspace.workspaceId}`,
    target: 'technology',
    target_type: 'forum',
    mode: 'full',
    config: {},
    status: 'pending',
    started_at: null,
    completed_at: null,
    duration_seconds: null,
    posts_scraped: 0,
    comments_scraped: 0,
    media_downloaded: 0,
    error_message: null,
    progress: {},
    created_at: expect.stringMatching(TIME),
  });

  it('POST /jobs returns a pending record with the defaults', async () => {
    const { status, body } = await client.post(at('/jobs'), { target: 'technology' });
    expect([status, body]).toEqual([201, pending('job')]);
    const [row] = await service.app
      .get(DataSource)
      .query<Body[]>('SELECT post_limit, download_media, scrape_comments, plugins FROM jobs WHERE id = $1', [
        bareOf(body.id),
      ]);
    expect(row).toEqual({ post_limit: 100, download_media: true, scrape_comments: true, plugins: [] });
  });

  it.each([
    [{ target: 'x' }, []],
    [{ target: 'x'.repeat(255) }, []],
    [{ target: 'x'.repeat(256) }, ['target']],
    [{ target: '' }, ['target']],
    [{ target: 'x', limit: 1 }, []],
    [{ target: 'x', limit: 10_000 }, []],
    [{ target: 'x', limit: 0 }, ['limit']],
    [{ target: 'x', limit: 10_001 }, ['limit']],
    [{ target: 'x', target_type: 'user', mode: 'monitor' }, []],
    [{ target: 'x', target_type: 'page' }, ['target_type']],
    [{ target: 'x', mode: 'some' }, ['mode']],
    [{ target: 'x', download_media: 'yes' }, ['download_media']],
    [{ target: 'x', scrape_comments: 1 }, ['scrape_comments']],
    [{ target: 'x', plugins: 'a' }, ['plugins']],
  ])('POST /jobs %#: %j is refused for %j', async (body, fields) => {
    expect(await refused('/jobs', body)).toEqual(fields);
  });

  it('GET /jobs lists short items, newest first, by pages and by status', async () => {
    const other = await service.createWorkspace();
    const as = client.withKey(other.apiKey);
    for (let n = 0; n < 51; n += 1) await as.post(other.path('/jobs'), { target: `t${n}` });
    const list = async (query = {}) =>
      (await as.get<{ jobs: Body[]; total: number; has_more: boolean }>(other.path('/jobs'), { query })).body;
    const first = await list();
    expect([first.jobs.length, first.total, first.has_more]).toEqual([50, 51, true]);
    expect(Object.keys(first.jobs[0]!)).toEqual([
      'id',
      'target',
      'target_type',
      'status',
      'posts_scraped',
      'comments_scraped',
      'created_at',
    ]);
    expect(first.jobs[0]!.target).toBe('t50');
    const last = await list({ offset: 50 });
    expect([last.jobs.length, last.has_more]).toEqual([1, false]);
    expect((await list({ status: 'completed' })).total).toBe(0);
    expect((await list({ status: 'pending', limit: 200 })).jobs).toHaveLength(51);
    expect(await list({ offset: 2_147_483_647 })).toMatchObject({ jobs: [], has_more: false });
  });

  it('GET /jobs/{job_id} returns the record by the bare and by the prefixed id', async () => {
    const { body } = await client.post(at('/jobs'), { target: 'technology' });
    expect((await client.get(at(`/jobs/${String(body.id)}`))).body).toEqual(body);
    expect((await client.get(at(`/jobs/${bareOf(body.id).toUpperCase()}`))).body).toEqual(body);
  });

  it('DELETE /jobs/{job_id} cancels a pending or running job, once', async () => {
    const { body } = await client.post(at('/jobs'), { target: 'technology' });
    await expectDeletion('/jobs', body.id);
    expect((await client.get(at(`/jobs/${String(body.id)}`))).body).toMatchObject({
      status: 'cancelled',
      completed_at: expect.stringMatching(TIME),
      progress: { posts: 0, comments: 0, media: 0 },
    });
    const again = await client.delete<Problem>(at(`/jobs/${String(body.id)}`));
    expect([again.status, again.body.code]).toEqual([409, 'job_not_cancellable']);
  });
});

describe('posts', () => {
  beforeAll(async () => {
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: 60 }, (_, n) => aPost(n)),
    );
  });

  const list = async (query: Record<string, string | number> = {}) =>
    (
      await client.get<{ posts: Body[]; total: number; cursor: string; has_more: boolean }>(at('/posts'), {
        query,
      })
    ).body;

  it('GET /posts lists short items, newest first, 50 at a time', async () => {
    const page = await list();
    expect([page.posts.length, page.total, page.has_more, typeof page.cursor]).toEqual([
      50,
      60,
      true,
      'string',
    ]);
    expect(Object.keys(page.posts[0]!)).toEqual([
      'id',
      'forum',
      'title',
      'author',
      'created_utc',
      'score',
      'upvote_ratio',
      'num_comments',
      'selftext',
      'post_type',
      'sentiment_label',
      'sentiment_score',
    ]);
    const times = page.posts.map((post) => String(post.created_utc));
    expect(times).toEqual([...times].sort().reverse());
    const last = await list({ cursor: page.cursor, limit: 10 });
    expect([last.posts.length, last.has_more]).toEqual([10, false]);
  });

  it('GET /posts filters', async () => {
    const all = Array.from({ length: 60 }, (_, n) => aPost(n));
    const count = (matches: (post: (typeof all)[number]) => boolean) => all.filter(matches).length;
    expect((await list({ forum: 'TECHNOLOGY' })).total).toBe(count(({ forum }) => forum === 'Technology'));
    expect((await list({ author: 'AUTHOR3' })).total).toBe(count(({ author }) => author === 'author3'));
    expect((await list({ min_score: 50 })).total).toBe(count(({ score }) => score >= 50));
    expect((await list({ max_score: 50 })).total).toBe(count(({ score }) => score <= 50));
    expect((await list({ post_type: 'self' })).total).toBe(count(({ postType }) => postType === 'self'));
    expect((await list({ sentiment: 'neutral' })).total).toBe(
      count(({ sentimentLabel }) => sentimentLabel === 'neutral'),
    );
    expect((await list({ q: '"charging 4" or "charging 6"' })).total).toBe(2);
    expect((await list({ q: 'batteries -charging' })).total).toBe(count(({ selftext }) => selftext === ''));
    const relevant = await list({ q: 'charging', sort_by: 'relevance' });
    expect(relevant.total).toBe(30);
  });

  it.each([
    ['/posts', 'limit', ['1', '200'], ['0', '201', '1.5', 'x', '', '-1', '1e2']],
    ['/posts', 'min_score', ['-2147483648', '2147483647'], ['-2147483649', '2147483648', 'x']],
    ['/posts', 'max_score', ['-2147483648', '2147483647'], ['-2147483649', '2147483648', 'x']],
    ['/posts', 'min_comments', ['0', '2147483647'], ['-1', '2147483648', 'x']],
    ['/posts', 'post_type', ['link', 'self', 'image', 'video'], ['poll', '']],
    ['/posts', 'sentiment', ['positive', 'negative', 'neutral'], ['mixed']],
    ['/posts', 'sort_order', ['asc', 'desc'], ['up']],
    [
      '/posts',
      'sort_by',
      ['created_utc', 'score', 'num_comments', 'upvote_ratio', 'sentiment_score', 'scraped_at'],
      ['title', 'id'],
    ],
    ['/jobs', 'limit', ['1', '200'], ['0', '201', 'x']],
    ['/jobs', 'offset', ['0', '2147483647'], ['-1', '2147483648', 'x']],
    ['/jobs', 'target', ['x', 'x'.repeat(255)], ['', 'x'.repeat(256)]],
    ['/jobs', 'status', ['pending', 'running', 'completed', 'cancelled', 'failed'], ['done', '']],
    ['/comments', 'limit', ['1', '200'], ['0', '201', 'x']],
    ['/comments', 'offset', ['0', '2147483647'], ['-1', '2147483648', 'x']],
    ['/comments', 'min_score', ['-2147483648', '2147483647'], ['-2147483649', '2147483648', 'x']],
  ])('GET %s accepts %s within its limits and refuses it beyond', async (path, name, good, bad) => {
    for (const value of good)
      expect([value, await refusedQuery(path, { [name]: value })]).toEqual([value, []]);
    for (const value of bad)
      expect([value, await refusedQuery(path, { [name]: value })]).toEqual([value, [name]]);
  });

  it('GET /posts/{post_id} returns the full record', async () => {
    const post = aPost(7);
    const { status, body } = await client.get(at(`/posts/${post.id}`));
    expect(status).toBe(200);
    expect(body).toEqual({
      ...inSnakeCase(post),
      // Shown with `view=full`, as `unknown`.
      unknown_fields: undefined,
      workspace_id: `ws_${workspace.workspaceId}`,
      created_utc: post.createdUtc.toISOString(),
      scraped_at: post.scrapedAt.toISOString(),
    });
    expect((await client.get<Problem>(at('/posts/t3_none'))).body.code).toBe('not_found');
  });

  it('GET /posts/forums/list counts by forum', async () => {
    const { body } = await client.get(at('/posts/forums/list'));
    expect(body).toEqual([
      { forum: 'programming', post_count: 40 },
      { forum: 'Technology', post_count: 20 },
    ]);
  });

  it('GET /posts/forums/list orders equal counts by name, without empty forums', async () => {
    const other = await service.createWorkspace();
    const forums = ['delta', 'gone', 'alpha', 'Charlie', 'bravo'];
    await storePosts(
      service,
      other.workspaceId,
      forums.map((forum, n) => aPost(n, { forum })),
    );
    await service.app
      .get(DataSource)
      .query(`DELETE FROM posts WHERE workspace_id = $1 AND forum = 'gone'`, [other.workspaceId]);
    const { body } = await client.get(other.path('/posts/forums/list'), { key: other.apiKey });
    expect(body).toEqual(['Charlie', 'alpha', 'bravo', 'delta'].map((forum) => ({ forum, post_count: 1 })));
  });

  it('GET /posts keeps an empty workspace empty', async () => {
    const other = await service.createWorkspace();
    const { body } = await client.get(other.path('/posts'), { key: other.apiKey });
    expect(body).toEqual({ posts: [], total: 0, cursor: '', has_more: false });
  });
});

describe('comments', () => {
  it('GET /comments lists, filters and pages', async () => {
    await storeComments(service, workspace.workspaceId, [
      ...Array.from({ length: 60 }, (_, n) => aComment(n)),
      aComment(60, { postId: 't3_000002', parentId: 't1_000001', depth: 1, body: 'Something else' }),
    ]);
    const list = async (query: Record<string, string | number> = {}) =>
      (await client.get<{ comments: Body[]; total: number; has_more: boolean }>(at('/comments'), { query }))
        .body;
    const first = await list();
    expect([first.comments.length, first.total, first.has_more]).toEqual([50, 61, true]);
    // The forum can be searched, but is not returned.
    const { forum, ...newest } = aComment(60, {
      postId: 't3_000002',
      parentId: 't1_000001',
      depth: 1,
      body: 'Something else',
    });
    expect(first.comments[0]).toEqual({
      ...inSnakeCase(newest),
      created_utc: newest.createdUtc.toISOString(),
      scraped_at: newest.scrapedAt.toISOString(),
    });
    expect((await list({ offset: 60 })).comments).toHaveLength(1);
    expect((await list({ offset: 10 })).has_more).toBe(true);
    expect((await list({ offset: 11 })).has_more).toBe(false);
    expect((await list({ post_id: 't3_000002' })).total).toBe(1);
    expect((await list({ forum })).total).toBe(61);
    expect((await list({ author: 'AUTHOR2' })).total).toBe(12);
    expect((await list({ min_score: 50 })).total).toBe(11);
    expect((await list({ q: 'chargers', limit: 1 })).total).toBe(60);
  });
});

describe('saved searches', () => {
  const search = { name: 'Ours', of: 'comments', q: 'acme', filters: { min_score: 2 }, sort_by: 'score' };

  it('keep query, filters and order until they are deleted', async () => {
    const { body } = await client.post(at('/searches'), search);
    expect(body).toMatchObject({ ...search, id: expect.stringMatching(id('search')), sort_order: 'desc' });
    const path = at(`/searches/${String(body.id)}`);
    await client.patch(path, { q: 'acme -phone' });
    expect((await client.get<Body>(path)).body).toEqual({ ...body, q: 'acme -phone' });
    await expectDeletion('/searches', body.id);
  });

  it.each([
    [{ ...search, filters: { flair: 'x' } }, ['filters.flair']],
    [{ ...search, filters: { q: 'x' } }, ['filters.q']],
    [{ ...search, sort_by: 'upvote_ratio' }, ['sort_by']],
    [{ q: 'x' }, ['name']],
  ])('%#: %j is refused for %j', async (body, fields) => {
    expect(await refused('/searches', body)).toEqual(fields);
  });
});

describe('alerts', () => {
  const minimal = { name: 'Ours', keywords: ['acme'] };

  it('POST /alerts returns a record with the defaults', async () => {
    const { status, body } = await client.post(at('/alerts'), minimal);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(id('alert')),
      name: 'Ours',
      keywords: ['acme'],
      forums: [],
      channel: 'email',
      channel_config: {},
      is_active: true,
      last_triggered_at: null,
      trigger_count: 0,
      created_at: expect.stringMatching(TIME),
    });
  });

  const url = { webhook_url: 'https://hooks.example.com/x' };
  const inner = { webhook_url: 'http://10.0.0.1/' };
  it.each([
    [{ ...minimal, name: 'x'.repeat(255) }, []],
    [{ ...minimal, name: 'x'.repeat(256) }, ['name']],
    [{ ...minimal, name: '' }, ['name']],
    [{ keywords: ['x'] }, ['name']],
    [{ name: 'x' }, ['keywords']],
    [{ ...minimal, keywords: [] }, ['keywords']],
    [{ ...minimal, keywords: ['...'] }, ['keywords']],
    [{ ...minimal, keywords: 'a' }, ['keywords']],
    [{ ...minimal, colour: 'red' }, ['colour']],
    [{ name: 'x', query: 'acme -phone' }, []],
    [{ ...minimal, query: 'acme', of: 'all' }, []],
    [{ ...minimal, query: '()' }, ['query']],
    [{ ...minimal, of: 'users' }, ['of']],
    [{ ...minimal, forums: 'technology' }, ['forums']],
    [{ ...minimal, channel: 'pigeon' }, ['channel']],
    [{ ...minimal, channel: 'chat_a', channel_config: url }, []],
    [{ ...minimal, channel: 'discord', channel_config: url }, []],
    [{ ...minimal, channel: 'telegram', channel_config: url }, []],
    [{ ...minimal, channel: 'slack', channel_config: url }, []],
    [{ ...minimal, channel: 'slack' }, ['channel_config.webhook_url']],
    [{ ...minimal, channel: 'webhook', channel_config: url }, []],
    [{ ...minimal, channel: 'webhook' }, ['channel_config.webhook_url']],
    [{ ...minimal, channel: 'chat_a' }, ['channel_config.webhook_url']],
    [{ ...minimal, channel: 'webhook', channel_config: inner }, ['channel_config.webhook_url']],
    [
      { ...minimal, channel: 'chat_b', channel_config: { webhook_url: 'ftp://x.org', chat_id: {} } },
      ['channel_config.webhook_url', 'channel_config.chat_id'],
    ],
    [{ ...minimal, channel_config: { to: 'nobody' } }, ['channel_config.to']],
    [{ ...minimal, channel_config: 'x' }, ['channel_config']],
  ])('POST /alerts %#: %j is refused for %j', async (body, fields) => {
    expect(await refused('/alerts', body)).toEqual(fields);
  });

  it.each(['discord', 'telegram', 'slack'])('shows the channel %s as it was sent', async (channel) => {
    const { body: made } = await client.post(at('/alerts'), { ...minimal, channel, channel_config: url });
    expect(made).toMatchObject({ channel, channel_config: url });
    const { body: alerts } = await client.get<Body[]>(at('/alerts'));
    expect(alerts.find(({ id }) => id === made.id)).toMatchObject({ channel });
  });

  it('shows queries with view=full, and refuses to remove the only one', async () => {
    const { body } = await client.post(at('/alerts?view=full'), { name: 'x', query: 'acme', of: 'all' });
    const path = at(`/alerts/${String(body.id)}`);
    expect(body).toMatchObject({ keywords: [], query: 'acme', of: 'all' });
    expect((await client.get<Body>(path)).body).not.toHaveProperty('query');
    const refusal = await client.patch<Body>(path, { query: null });
    expect(refusal.status).toBe(400);
  });

  it('GET /alerts and DELETE /alerts/{alert_id}', async () => {
    const { body: made } = await client.post(at('/alerts'), minimal);
    expect((await client.get<Body[]>(at('/alerts'))).body).toContainEqual(made);
    const { body: matches } = await client.get(at(`/alerts/${String(made.id)}/matches`));
    expect(matches).toEqual({ matches: [], total: 0, has_more: false });
    await expectDeletion('/alerts', made.id);
    expect((await client.get<Body[]>(at('/alerts'))).body).not.toContainEqual(made);
  });
});

describe('webhooks', () => {
  const minimal = { url: 'https://hooks.example.com/x' };

  it('POST /webhooks returns a record with the defaults and without the secret', async () => {
    const { status, body } = await client.post(at('/webhooks'), {
      ...minimal,
      secret: 'hush of more than 24 bytes',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(id('wh')),
      url: minimal.url,
      events: ['job.completed'],
      is_active: true,
      last_triggered_at: null,
      failure_count: 0,
      created_at: expect.stringMatching(TIME),
    });
  });

  it.each([
    [{ ...minimal, events: ['job.completed', 'job.failed', 'alert.triggered'] }, []],
    [{ ...minimal, events: ['job.started'] }, ['events']],
    [{ ...minimal, events: [] }, ['events']],
    [{}, ['url']],
    [{ url: 'nonsense' }, ['url']],
    [{ url: 'ftp://example.com' }, ['url']],
    [{ url: 'http://127.0.0.1/x' }, ['url']],
    [{ url: 'http://0x7f.1/' }, ['url']],
    [{ url: 'http://169.254.169.254/latest' }, ['url']],
    [{ url: 'http://user:pass@example.com/' }, ['url']],
    [{ ...minimal, secret: 5 }, ['secret']],
    [{ ...minimal, secret: null }, ['secret']],
    [{ ...minimal, secret: '' }, ['secret']],
    [{ ...minimal, secret: 'x' }, []],
    [{ ...minimal, secret: 'whsec_***' }, []],
    [{ ...minimal, secret: '🔑'.repeat(256) }, []],
    [{ ...minimal, secret: 'x'.repeat(257) }, ['secret']],
  ])('POST /webhooks %#: %j is refused for %j', async (body, fields) => {
    expect(await refused('/webhooks', body)).toEqual(fields);
  });

  it('GET /webhooks and DELETE /webhooks/{webhook_id}', async () => {
    const { body: made } = await client.post(at('/webhooks'), minimal);
    expect((await client.get<Body[]>(at('/webhooks'))).body).toContainEqual(made);
    // Null is a valid value here: it ends signing.
    const changes = { events: ['job.failed', 'alert.triggered'], is_active: false };
    const changed = await client.patch(at(`/webhooks/${String(made.id)}`), { ...changes, secret: null });
    expect([changed.status, changed.body]).toEqual([200, { ...made, ...changes }]);
    await expectDeletion('/webhooks', made.id);
  });
});
