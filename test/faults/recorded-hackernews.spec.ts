import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';

const RECORDINGS = resolve('../shared/recordings-hackernews');
const areThere = existsSync(resolve(RECORDINGS, 'replay.mjs'));
if (!areThere) process.stderr.write(`Skipped: the recordings are not at ${RECORDINGS}\n`);

interface ExpectedTarget {
  target: string;
  target_type: 'forum' | 'user';
  posts: string[];
  comment_ids: string[];
  frugal_requests: number;
}

(areThere ? describe : describe.skip)('a recorded Hacker News, through the service', () => {
  const targets = areThere
    ? (JSON.parse(readFileSync(resolve(RECORDINGS, 'expected.json'), 'utf8')) as ExpectedTarget[])
    : [];
  let replay: ChildProcess;
  let service: TestApplication;
  let database: pg.Client;

  const start = async (...options: string[]): Promise<void> => {
    replay = spawn(process.execPath, [resolve(RECORDINGS, 'replay.mjs'), ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: replay.stdout! })[Symbol.asyncIterator]();
    const { value } = (await lines.next()) as { value: string };
    service = await startTestApplication({ ROLES: 'api,worker', HACKERNEWS_API_URL: `${value}/api/v1` });
    database = new pg.Client({ connectionString: service.environment.DATABASE_URL });
    await database.connect();
  };
  afterEach(async () => {
    await database.end();
    await service.close();
    const ended = new Promise((done) => replay.once('exit', done));
    replay.kill('SIGKILL');
    await ended;
  });

  const walk = async ({ target, target_type }: ExpectedTarget) => {
    const workspace = await service.createWorkspace(target);
    const job = await runJob(service, workspace, { target, target_type, limit: 10_000 }, 300_000);
    const ids = async (sql: string): Promise<string[]> =>
      (await database.query<{ id: string }>(sql, [workspace.workspaceId])).rows.map(({ id }) => id).sort();
    return {
      workspace,
      job,
      posts: await ids('SELECT id FROM posts WHERE workspace_id = $1'),
      comments: await ids('SELECT comment_id AS id FROM comments WHERE workspace_id = $1'),
    };
  };

  it('gives exactly the items of every target, with no request to spare', async () => {
    await start();
    for (const expected of targets) {
      const { job, posts, comments } = await walk(expected);
      expect(job).toMatchObject({ status: 'completed', error_message: null });
      expect(posts).toEqual([...expected.posts].sort());
      expect(comments).toEqual([...expected.comment_ids].sort());
      expect(job.progress).toMatchObject({ stop_reason: 'end_of_listing', source: 'hackernews' });
      expect(job.progress.requests).toBeLessThanOrEqual(Math.ceil(expected.frugal_requests * 1.02));
    }
  }, 300_000);

  it('gives them with 30 % of the requests failing', async () => {
    await start('--fail-rate', '0.3', '--faults', '429,500,503,truncate,reset,html', '--seed', '7');
    for (const expected of targets.slice(0, 4)) {
      const { job, posts, comments } = await walk(expected);
      expect(job).toMatchObject({ status: 'completed', error_message: null });
      expect(posts).toEqual([...expected.posts].sort());
      expect(comments).toEqual([...expected.comment_ids].sort());
    }
  }, 300_000);

  it('is found by forum, id and search as other posts are', async () => {
    await start();
    const ask = targets.find(({ target }) => target === 'hn:ask')!;
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
  }, 120_000);
});
