import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { connect } from '../support/database.js';
import { runJob } from '../support/jobs.js';
import { sharedPath, withShared } from '../support/shared-folder.js';
import { until } from '../support/until.js';

const RECORDINGS = 'recordings-bluesky';

interface Expected {
  targets: { target: string; posts: string[]; comment_ids: string[] }[];
  jetstream: { filters: { keyword: string; deleted_later: string[]; account_deleted_later: string[] }[] };
}
const idOf = (uri: string): string => uri.replace('at://', 'bs_').replace('/app.bsky.feed.post/', '_');

withShared(RECORDINGS).describe('a hashtag of the recorded Bluesky', () => {
  let replay: ChildProcess;
  let address: string;
  let service: TestApplication;
  let database: pg.Client;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    const program = sharedPath(RECORDINGS, 'replay.mjs');
    replay = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
    [address] = (await once(createInterface({ input: replay.stdout! }), 'line')) as [string];
    service = await startTestApplication({
      ROLES: 'api,worker,scheduler',
      BLUESKY_APPVIEW_URL: address,
      JETSTREAM_URL: address.replace('http', 'ws'),
      SOURCE_REQUESTS_PER_MINUTE: '1000000',
      SOURCE_IGNORE_NOINDEX: 'true',
    });
    database = await connect(service.environment.DATABASE_URL!);
    workspace = await service.createWorkspace();
  });
  afterAll(async () => {
    await database?.end();
    replay.kill('SIGKILL');
  });

  const ids = async (sql: string): Promise<string[]> =>
    (await database.query<{ id: string }>(sql)).rows.map(({ id }) => id).sort();
  const job = { target: 'bsky:#RStats', target_type: 'forum', limit: 1_000, download_media: false };
  const control = (path: string) => fetch(`${address}${path}`, { method: 'POST' });

  it('is stored from what the stream brought, and overwritten when it is deleted', async () => {
    const expected = JSON.parse(readFileSync(sharedPath(RECORDINGS, 'expected.json'), 'utf8')) as Expected;
    const target = expected.targets.find((one) => one.target === '#rstats')!;
    const { deleted_later, account_deleted_later } = expected.jetstream.filters.find(
      ({ keyword }) => keyword === 'rstats',
    )!;
    const gone = new Set([...deleted_later, ...account_deleted_later]);
    const posts = target.posts
      .filter((uri) => !gone.has(uri))
      .map(idOf)
      .sort();
    // The whole recorded stream is in the past.
    await database.query(
      `INSERT INTO stream_cursors (source, position) VALUES ('bluesky', '1000000000000000')
       ON CONFLICT (source) DO UPDATE SET position = EXCLUDED.position`,
    );
    expect(await runJob(service, workspace, job)).toMatchObject({ status: 'completed' });
    const kept = () => ids(`SELECT id FROM stream_posts WHERE topic = 'rstats'`);
    await until(kept, (all) => posts.every((id) => all.includes(id)), { timeoutMs: 30_000, everyMs: 200 });
    await until(kept, (all) => all.length <= posts.length, { timeoutMs: 30_000, everyMs: 200 });

    const ended = await runJob(service, workspace, { ...job, mode: 'monitor' });
    expect(ended).toMatchObject({ status: 'completed', error_message: null });
    expect(await ids('SELECT id FROM posts')).toEqual(posts);
    const comments = await ids('SELECT comment_id AS id FROM comments');
    expect(target.comment_ids.map(idOf)).toEqual(expect.arrayContaining(comments));
    expect(comments.length).toBeGreaterThan(0);

    const [first, second] = posts;
    const uriOf = (id: string): string => {
      const [, did, key] = /^bs_(.+?)_(.+)$/.exec(id)!;
      return encodeURIComponent(`at://${did}/app.bsky.feed.post/${key}`);
    };
    await control(`/__delete?id=${uriOf(first!)}`);
    await control(`/__account?did=${/^bs_(.+?)_/.exec(second!)![1]}&status=takendown`);
    const replaced = () => ids(`SELECT id FROM posts WHERE title = '[deleted]' AND selftext = '[deleted]'`);
    const overwritten = await until(replaced, (all) => all.includes(first!) && all.includes(second!), {
      timeoutMs: 30_000,
      everyMs: 200,
    });
    const didOf = (id: string): string => /^bs_(.+?)_/.exec(id)![1]!;
    expect(overwritten).toEqual(posts.filter((id) => id === first || didOf(id) === didOf(second!)));
  });
});
