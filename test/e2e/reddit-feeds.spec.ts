import { expectedComments, expectedPosts } from '../../src/sandbox/expected-data.js';
import { UNKNOWN_FIELDS } from '../../src/platforms/unknown-fields.js';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { openSandbox } from '../support/sandbox.js';

const EPOCH = new Date('2026-11-01T00:00:00Z');
const WORLD = {
  live: { postsPerMinute: 10 },
  forums: { quiet: { posts: 40, commentsPerPost: 2 }, busy: { posts: 130, commentsPerPost: 5 } },
};
const MINUTE_MS = 60_000;

describe('Reddit read from its feeds', () => {
  let sandbox: Sandbox;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let now: number;

  beforeAll(async () => {
    sandbox = await openSandbox({ ...WORLD, now: () => now });
    service = await startTestApplication({
      ROLES: 'api,worker',
      REDDIT_FEEDS: 'true',
      REDDIT_FEED_REQUESTS_PER_MINUTE: '1000000',
      PLATFORM_AUTH_URL: sandbox.baseUrl,
    });
  });
  beforeEach(async () => {
    now = EPOCH.getTime() + 2 * 60 * MINUTE_MS;
    workspace = await service.createWorkspace();
    sandbox.setFaults(null);
    sandbox.resetStats();
  });

  const world = () => ({ ...WORLD, now: () => now });
  const idsOf = async (kind: 'posts' | 'comments'): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const page = await call<
        Record<string, Record<string, string>[]> & { cursor: string; has_more: boolean }
      >(service, workspace, 'GET', `/${kind}?limit=200&cursor=${encodeURIComponent(cursor)}`);
      ids.push(...page[kind]!.map((record) => record.comment_id ?? record.id!));
      if (!page.has_more) return ids.sort();
      cursor = page.cursor;
    }
  };

  it.each([0, 0.3])('reads posts and comments exactly with %d of the requests failing', async (rate) => {
    sandbox.setFaults({ rate, kinds: ['429', '503', 'truncate', 'reset'], maxInARow: 2 });
    const job = await runJob(service, workspace, { target: 'busy', limit: 150 }, 60_000);
    const posts = expectedPosts(world(), 'busy', 150);
    expect(job).toMatchObject({
      status: 'completed',
      posts_scraped: 150,
      progress: { source: 'reddit_feeds', stop_reason: 'limit' },
    });
    expect(job.progress).not.toHaveProperty('comments_missing');
    expect(await idsOf('posts')).toEqual([...posts].sort());
    expect(await idsOf('comments')).toEqual(posts.flatMap((id) => expectedComments(world(), id)).sort());
  });

  const pass = (limit: number, more = {}) =>
    runJob(service, workspace, { target: 'quiet', mode: 'monitor', limit, scrape_comments: false, ...more });

  it('counts the posts between two passes that the feed no longer holds', async () => {
    const stated = (): number => expectedPosts(world(), 'quiet', 10_000).length;
    expect((await pass(2_000)).progress).not.toHaveProperty('gap');
    now += 5 * MINUTE_MS;
    const whole = await pass(1_000);
    expect(whole).toMatchObject({ progress: { requests: 1, posts_new: 50 } });
    expect(whole.progress).not.toHaveProperty('gap');
    const before = stated();
    now += 60 * MINUTE_MS;
    const missed = stated() - before - 100;
    const { progress } = await pass(100);
    expect(progress).toMatchObject({ stop_reason: 'limit', posts_new: 100 });
    expect(Math.abs(Number(progress.gap) - missed)).toBeLessThan(missed / 20);
  });

  it('asks nothing about posts whose comments the feed of the forum shows', async () => {
    now = EPOCH.getTime();
    await pass(1_000, { scrape_comments: true });
    sandbox.resetStats();
    now += MINUTE_MS / 2;
    const { progress } = await pass(1_000, { scrape_comments: true });
    expect(progress).toMatchObject({ requests: 2, posts_new: 5 });
    expect(sandbox.stats().byPath).toEqual({ 'rss/posts': 1, 'rss/comments': 1 });
  });

  it('says which fields of a post are unknown, and keeps values that were known before', async () => {
    const [known, unknown] = expectedPosts(world(), 'quiet', 2);
    await storePosts(service, workspace.workspaceId, [aPost(1, { id: known!, score: 57, flair: 'News' })]);
    await pass(2);
    const read = (id: string) =>
      call<Record<string, unknown>>(service, workspace, 'GET', `/posts/${id}?view=full`);
    expect(await read(unknown!)).toMatchObject({ score: 0, upvote_ratio: 0.5, unknown: [...UNKNOWN_FIELDS] });
    expect(await read(known!)).toMatchObject({ score: 57, flair: 'News', unknown: ['num_comments'] });
    await pass(2);
    expect(await read(known!)).toMatchObject({ score: 57, unknown: ['num_comments'] });
    const { posts } = await call<{ posts: object[] }>(service, workspace, 'GET', '/posts?view=full');
    expect(posts).toMatchObject([{ unknown: expect.any(Array) }, { unknown: expect.any(Array) }]);
  });

  it('reads an account, and says of a forum why it cannot be read', async () => {
    const { posts } = await pass(1).then(() =>
      call<{ posts: { author: string }[] }>(service, workspace, 'GET', '/posts?limit=1'),
    );
    const { author } = posts[0]!;
    const job = await runJob(service, workspace, { target: author, target_type: 'user', limit: 5 });
    expect(job).toMatchObject({ status: 'completed', posts_scraped: 5 });
    const refused = await runJob(service, workspace, { target: 'privateforum' });
    expect(refused).toMatchObject({ status: 'failed', progress: { error_code: 'target_private' } });
  });

  it('says in the list of sources what feeds lack', async () => {
    const answer = await fetch(`${service.url}/api/v1/sources`, {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    const { sources } = (await answer.json()) as {
      sources: { source: string; lacks: string[]; limit: object }[];
    };
    const reddit = sources.find(({ source }) => source === 'reddit')!;
    expect(reddit.lacks[0]).toMatch(/^scores, numbers of comments/);
    expect(reddit.limit).toEqual({ requests: 1_000_000, window_seconds: 60, per_site: false });
  });
});
