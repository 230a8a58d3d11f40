import type pg from 'pg';
import {
  describeHackerNews,
  type ExpectedTarget,
  expectedTargets,
  HackerNewsReplay,
  type RecordedItem,
  recordedPosts,
} from '../recordings/hackernews-replay.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { connect } from '../support/database.js';

/** Maximum ratio of a walk's requests to the minimum. */
const MOST_REQUESTS = 1.02;

interface RecordedComment {
  id: string;
  post: string;
  parent: string;
  depth: number;
  author: string | null;
  created: Date;
}

/** The comments of the recorded threads, except deleted ones. */
function recordedComments(): RecordedComment[] {
  const repliesOf = (item: RecordedItem, post: string, depth: number): RecordedComment[] =>
    (item.children ?? []).flatMap((child) => [
      ...(child.author === null && child.text === null
        ? []
        : [
            {
              id: `hn_${child.id}`,
              post,
              parent: `hn_${item.id}`,
              depth,
              author: child.author,
              created: new Date(child.created_at_i * 1_000),
            },
          ]),
      ...repliesOf(child, post, depth + 1),
    ]);
  return recordedPosts().flatMap((post) => repliesOf(post, `hn_${post.id}`, 0));
}

const byId = <T extends { id: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : 1));

describeHackerNews('a recorded Hacker News, through the service', () => {
  let replay: HackerNewsReplay;
  let service: TestApplication;
  let database: pg.Client;

  const start = async (...options: string[]): Promise<void> => {
    replay = await HackerNewsReplay.start(...options);
    service = await startTestApplication({ ROLES: 'api,worker', HACKERNEWS_API_URL: replay.apiUrl });
    database = await connect(service.environment.DATABASE_URL!);
  };
  afterEach(async () => {
    await database.end();
    await service.close();
    await replay.stop();
  });

  const walk = async ({ target, target_type }: ExpectedTarget) => {
    const workspace = await service.createWorkspace(target);
    const job = await runJob(service, workspace, { target, target_type, limit: 10_000 });
    const ids = async (sql: string): Promise<string[]> =>
      (await database.query<{ id: string }>(sql, [workspace.workspaceId])).rows.map(({ id }) => id).sort();
    return {
      workspace,
      job,
      posts: await ids('SELECT id FROM posts WHERE workspace_id = $1'),
      comments: await ids('SELECT comment_id AS id FROM comments WHERE workspace_id = $1'),
    };
  };

  it('gives exactly the items of every target with the minimum of requests', async () => {
    await start();
    for (const expected of expectedTargets()) {
      const { job, posts, comments } = await walk(expected);
      expect(job).toMatchObject({ status: 'completed', error_message: null });
      expect(posts).toEqual([...expected.posts].sort());
      expect(comments).toEqual([...expected.comment_ids].sort());
      expect(job.progress).toMatchObject({ stop_reason: 'end_of_listing', source: 'hackernews' });
      expect(job.progress.requests).toBeLessThanOrEqual(expected.frugal_requests * MOST_REQUESTS);
    }
  });

  it('gives every post and comment as it was recorded', async () => {
    await start();
    const { workspace } = await walk(expectedTargets().find(({ target }) => target === 'hn:new')!);
    const rows = async <T extends { id: string }>(sql: string): Promise<T[]> =>
      byId((await database.query<T>(sql, [workspace.workspaceId])).rows);
    expect(
      await rows(
        `SELECT comment_id AS id, post_id AS post, parent_id AS parent, depth, author, created_utc AS created
         FROM comments WHERE workspace_id = $1`,
      ),
    ).toEqual(byId(recordedComments()));
    expect(
      await rows(
        'SELECT id, title, url, author, score, created_utc AS created FROM posts WHERE workspace_id = $1',
      ),
    ).toEqual(
      byId(
        recordedPosts().map(({ id, title, url, author, points, created_at_i: created }) => ({
          ...{ id: `hn_${id}`, title, url, author, score: points, created: new Date(created * 1_000) },
        })),
      ),
    );
  });

  it('gives them with 30 % of the requests failing', async () => {
    await start('--fail-rate', '0.3', '--faults', '429,500,503,truncate,reset,html', '--seed', '7');
    for (const expected of expectedTargets()) {
      const { job, posts, comments } = await walk(expected);
      expect(job).toMatchObject({ status: 'completed', error_message: null });
      expect(posts).toEqual([...expected.posts].sort());
      expect(comments).toEqual([...expected.comment_ids].sort());
    }
  });

  it('is found by forum, id and search like other posts', async () => {
    await start();
    const ask = expectedTargets().find(({ target }) => target === 'hn:ask')!;
    const { workspace } = await walk(ask);
    const get = <T>(path: string) => call<T>(service, workspace, 'GET', path);
    const list = await get<{ posts: { id: string }[]; total: number }>('/posts?forum=hn:ask&limit=1');
    expect(list.total).toBe(ask.posts.length);
    expect(await get(`/posts/${list.posts[0]!.id}`)).toMatchObject({ forum: 'hn:ask' });
    const comment = await get<{ id: number; post_id: string }>(`/comments/${ask.comment_ids[0]}`);
    expect(comment.id).toBe(2 ** 52 + Number(ask.comment_ids[0]!.slice(3)));
    const thread = `/comments?post_id=${comment.post_id}&sort_by=thread&limit=200`;
    expect((await get<{ comments: unknown[] }>(thread)).comments).toHaveLength(32);
    expect(await get('/posts?q=forum:hn:ask')).toMatchObject({ total: ask.posts.length });
    expect(await get('/exports/posts?format=json&forum=hn:ask')).toHaveLength(ask.posts.length);
    const schedule = { target: 'hn:ask', mode: 'monitor', cron_expression: '0 * * * *' };
    await call(service, workspace, 'POST', '/schedules', schedule);
    const alert = { name: 'Hiring', keywords: ['hiring'], forums: ['hn:ask'], channel: 'email' };
    await call(service, workspace, 'POST', '/alerts', alert);
    const again = await runJob(service, workspace, { target: 'hn:ask', mode: 'monitor' });
    expect(again.progress).toMatchObject({ stop_reason: 'up_to_date', requests: 1 });
  });
});
