import { SYNTHETIC_ID_MARK, SYNTHETIC_SITE } from '../../src/config/platforms/reddit-variables.js';
import { ContentRechecker } from '../../src/collect/rechecks/content-rechecker.js';
import { ContentRechecksRepository } from '../../src/collect/rechecks/content-rechecks.repository.js';
import type { ContentLookup } from '../../src/platforms/platform.js';
import { Platforms } from '../../src/platforms/platforms.js';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { until } from '../support/until.js';

const JOB = { target: 'technology', limit: 20, download_media: false };

/** Between the oldest and the newest of the synthetic posts. */
const REAL_AT = new Date('2026-10-31T23:00:00Z');

interface Listed {
  total: number;
  posts: { id: string; author: string; source: string }[];
  comments: { comment_id: string; source: string }[];
}

describe('what the synthetic platform of npm start invents', () => {
  let sandbox: Sandbox;
  let service: TestApplication;
  let workspace: TestWorkspace;
  const get = <T>(path: string) => call<T>(service, workspace, 'GET', path);

  beforeAll(async () => {
    sandbox = await openSandbox({ idMark: SYNTHETIC_ID_MARK, site: SYNTHETIC_SITE });
    service = await startTestApplication({
      ...scrapingFrom(sandbox.baseUrl),
      PLATFORM_IS_SYNTHETIC: 'true',
      ROLES: 'api,worker,scheduler',
    });
    workspace = await service.createWorkspace();
    await storePosts(service, workspace.workspaceId, [aPost(1, { id: 't3_real', createdUtc: REAL_AT })]);
    await storeComments(service, workspace.workspaceId, [
      aComment(1, { postId: 't3_real', createdUtc: REAL_AT }),
    ]);
    expect(await runJob(service, workspace, JOB)).toMatchObject({
      status: 'completed',
      target: 'technology',
      progress: { source: 'synthetic' },
    });
  });

  it('is stored with ids of the form of Reddit, and its own source', async () => {
    const { posts } = await get<Listed>('/posts?source=synthetic&view=full');
    const { comments } = await get<Listed>('/comments?source=synthetic&view=full');
    expect(posts).toHaveLength(20);
    expect(comments.length).toBeGreaterThan(20);
    for (const { id, source } of posts)
      expect([id, source]).toEqual([expect.stringMatching(/^t3_\w+$/), 'synthetic']);
    for (const { comment_id: id, source } of comments)
      expect([id, source]).toEqual([expect.stringMatching(/^t1_\w+$/), 'synthetic']);
  });

  it('differs from content of Reddit in the same workspace', async () => {
    const { posts, total } = await get<Listed>('/posts?source=reddit&view=full');
    expect({ total, ids: posts.map(({ id }) => id) }).toEqual({ total: 1, ids: ['t3_real'] });
    expect((await get<Listed>('/posts?q=source:synthetic')).total).toBe(20);
    const { facets } = await get<{ facets: object }>('/analytics/facets?of=posts&by=source');
    expect(facets).toEqual({
      source: [
        { value: 'synthetic', count: 20 },
        { value: 'reddit', count: 1 },
      ],
    });
  });

  it('leads nowhere near Reddit in feeds', async () => {
    const search = await call<{ id: string }>(service, workspace, 'POST', '/searches', {
      name: 'All',
      of: 'posts',
      filters: { source: ['synthetic'] },
    });
    const urls = await call<{ json_url: string }>(service, workspace, 'POST', `/searches/${search.id}/feed`);
    const feed = await fetch(new URL(new URL(urls.json_url).pathname, service.url));
    const { items } = (await feed.json()) as { items: { url: string }[] };
    expect(items).toHaveLength(20);
    for (const { url } of items) expect(url).toMatch(/^https:\/\/synthetic\.invalid\/r\/technology\//);
    const { url } = await get<{ url: string }>(
      `/posts/${(await get<Listed>('/posts?post_type=self&source=synthetic')).posts[0]!.id}`,
    );
    expect(url).toMatch(/^https:\/\/synthetic\.invalid\//);
  });

  it('is erased and suppressed with its author on Reddit', async () => {
    const own = await service.createWorkspace();
    const found = async () => (await call<Listed>(service, own, 'GET', '/posts?limit=200')).posts;
    await runJob(service, own, JOB);
    const before = await found();
    const { author } = before.find((post) => post.author !== '[deleted]')!;
    const { id } = await call<{ id: string }>(service, own, 'POST', '/erasures', {
      source: 'reddit',
      author,
    });
    await until(
      () => call<{ status: string }>(service, own, 'GET', `/erasures/${id}`),
      ({ status }) => status === 'completed',
    );
    const added = await fetch(`${sandbox.baseUrl}/__control/posts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ forum: 'technology', author, title: 'Another one' }),
    });
    expect(added.status).toBe(200);
    await runJob(service, own, JOB);
    const after = await found();
    expect(before.map((post) => post.author)).toContain(author);
    expect(after.map((post) => post.author)).not.toContain(author);
  });

  it('is a source of its own in the list of sources', async () => {
    const response = await fetch(`${service.url}/api/v1/sources`, {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    const { sources } = (await response.json()) as { sources: { source: string; lacks: string[] }[] };
    const [reddit, synthetic] = sources;
    expect(reddit).toMatchObject({
      source: 'reddit',
      lacks: expect.arrayContaining([expect.stringMatching(/synthetic/)]),
    });
    expect(synthetic).toMatchObject({
      source: 'synthetic',
      id_prefixes: { post: 't3_0syn', comment: 't1_0syn' },
      origin: SYNTHETIC_SITE,
      targets: expect.arrayContaining([expect.objectContaining({ example: 'technology' })]),
    });
  });

  it('is not looked up on Reddit after an application was configured', async () => {
    const asked: string[] = [];
    const find = (ids: readonly string[]) => {
      asked.push(...ids);
      return Promise.resolve([]);
    };
    const lookup: ContentLookup = {
      prefixes: { post: 't3_', comment: 't1_' },
      commentsBy: 'id',
      findGonePosts: find,
      findGoneComments: find,
    };
    const now = new Date('2026-11-02');
    const rechecks = service.get(ContentRechecksRepository);
    await rechecks.addMissing([workspace.workspaceId], ['reddit'], now);
    const lease = { now, leaseUntil: new Date('2026-11-03') };
    for (
      let recheck = await rechecks.claim(['reddit'], [], lease);
      recheck;
      recheck = await rechecks.claim(['reddit'], [], lease)
    )
      await service
        .get(ContentRechecker)
        .check(recheck, lookup, { now, intervalMs: 1_000 }, AbortSignal.timeout(30_000));
    expect(asked.sort()).toEqual(['t1_000001', 't3_real']);
  });
});

describe('a Reddit job beside a database of the operator', () => {
  it('fails with the remedy when no application is configured', async () => {
    const service = await startTestApplication({ ROLES: 'api,worker' });
    const workspace = await service.createWorkspace();
    const message =
      'Reddit needs an application of your own: set PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET and PLATFORM_USER_AGENT, or ARCHIVE_BASE_URL to read an archive alone, or REDDIT_FEEDS=true to read its feeds';
    expect(await runJob(service, workspace, JOB)).toMatchObject({
      status: 'failed',
      posts_scraped: 0,
      error_message: message,
      progress: {
        error_code: 'credentials_missing',
        remedy: expect.stringContaining('PLATFORM_CLIENT_ID'),
      },
    });
    const response = await fetch(`${service.url}/api/v1/sources`, {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    const { sources } = (await response.json()) as { sources: { source: string; lacks: string[] }[] };
    expect(sources[0]).toMatchObject({ source: 'reddit', lacks: expect.arrayContaining([message]) });
    expect(sources.map(({ source }) => source)).not.toContain('synthetic');
    expect([...service.get(Platforms).lookups().keys()]).not.toContain('reddit');
  });
});
