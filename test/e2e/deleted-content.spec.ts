import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { DatabaseClock } from '../../src/database/database-clock.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { ContentRechecker } from '../../src/collect/rechecks/content-rechecker.js';
import { ContentRechecksRepository } from '../../src/collect/rechecks/content-rechecks.repository.js';
import { RecheckWorker } from '../../src/collect/rechecks/recheck-worker.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import type { ContentLookup } from '../../src/platforms/platform.js';
import { parsePostId } from '../../src/sandbox/data/numbered-ids.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';

const HOUR_MS = 3_600_000;
/** The generated content ends on 1 November. */
const BEGIN = Date.parse('2026-11-02T00:00:00Z');

interface PostRecord {
  id: string;
  title: string;
  author: string;
  selftext: string;
  keywords: string[];
}

const sandbox = await openSandbox({ forums: { small: { posts: 250, commentsPerPost: 4 } } });
const service = await startTestApplication({
  ...scrapingFrom(sandbox.baseUrl),
  HACKERNEWS_API_URL: `${sandbox.baseUrl}/hackernews/api/v1`,
  RECHECK_DELETED_HOURS: '48',
});
const dataSource = service.app.get(DataSource);
const worker = service.get(RecheckWorker);

describe('content that the platform deletes or removes', () => {
  let workspace: TestWorkspace;
  let now: number;

  beforeAll(() => {
    service.get(DatabaseClock).now = () => Promise.resolve(new Date(now));
  });
  beforeEach(async () => {
    now = BEGIN;
    workspace = await service.createWorkspace();
  });

  const get = <T>(path: string) => call<T>(service, workspace, 'GET', path);
  const post = (id: string) => get<PostRecord>(`/posts/${id}`);
  const deleteOnPlatform = async (ids: string[], as: 'deleted' | 'removed' = 'deleted') => {
    const answer = await fetch(`${sandbox.baseUrl}/__control/delete`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ids, as }),
    });
    expect(answer.status).toBe(200);
  };
  /** Stores what a job finds, as if it had been read at the time of the test. */
  const scrape = async (job: Record<string, unknown>): Promise<void> => {
    await runJob(service, workspace, job);
    for (const table of ['posts', 'comments'])
      await dataSource.query(`UPDATE ${table} SET scraped_at = $2 WHERE workspace_id = $1`, [
        workspace.workspaceId,
        new Date(now),
      ]);
  };
  /** Executes every batch that is due. */
  const recheck = async (): Promise<number> => {
    let batches = 0;
    while (await worker.checkNext()) batches += 1;
    return batches;
  };
  const counts = () =>
    dataSource.query<{ source: string; kind: string; deleted: number; removed: number }[]>(
      `SELECT source, kind, checked::int, deleted::int, removed::int FROM content_rechecks WHERE workspace_id = $1
       ORDER BY source DESC, kind DESC`,
      [workspace.workspaceId],
    );
  const ofPlatform = async (path: string): Promise<PostRecord[]> =>
    (await get<{ posts: PostRecord[] }>(path)).posts;

  it('is overwritten within the interval, everywhere, and counted by reason', async () => {
    await scrape({ target: 'small', limit: 250 });
    await worker.addWorkspaces();
    const posts = (await ofPlatform('/posts?post_type=self&limit=200')).filter(
      ({ author, selftext }) => author !== '[deleted]' && selftext.length > 40,
    );
    const [deleted, removed, kept] = posts;
    const { comments } = await get<{ comments: { comment_id: string; body: string; author: string }[] }>(
      `/comments?limit=200`,
    );
    const comment = comments.find(({ author, body }) => author !== '[deleted]' && body.length > 40)!;
    const phrase = (text: string) => text.split(/\s+/).slice(2, 7).join(' ').replace(/"/g, '');
    const found = async (list: string, text: string) =>
      (await get<{ total: number }>(`/${list}?q=${encodeURIComponent(`"${phrase(text)}"`)}`)).total;
    expect(await found('posts', deleted!.selftext)).toBeGreaterThan(0);
    expect(await found('comments', comment.body)).toBeGreaterThan(0);
    const matches = [await found('posts', deleted!.selftext), await found('comments', comment.body)];

    await deleteOnPlatform([deleted!.id, comment.comment_id]);
    await deleteOnPlatform([removed!.id], 'removed');
    expect(await recheck()).toBe(0);
    expect(await post(deleted!.id)).toMatchObject({ selftext: deleted!.selftext });

    now = BEGIN + 48 * HOUR_MS;
    // 250 posts and their comments in batches of 100, and the source without content.
    expect(await recheck()).toBeGreaterThanOrEqual(3 + 8 + 2);
    expect(await post(deleted!.id)).toMatchObject({ author: '[deleted]', selftext: '[deleted]' });
    expect(await post(removed!.id)).toMatchObject({ author: removed!.author, selftext: '[removed]' });
    expect(await post(kept!.id)).toMatchObject({ author: kept!.author, selftext: kept!.selftext });
    expect(await get(`/comments/${comment.comment_id}`)).toMatchObject({
      author: '[deleted]',
      body: '[deleted]',
    });
    expect([await found('posts', deleted!.selftext), await found('comments', comment.body)]).toEqual(
      matches.map((total) => total - 1),
    );
    const exported = await get<PostRecord[]>('/exports/posts?format=json');
    expect(exported.find(({ id }) => id === deleted!.id)).toMatchObject({ selftext: '[deleted]' });
    const counted = await counts();
    expect(counted.filter(({ source }) => source === 'reddit')).toMatchObject([
      { source: 'reddit', kind: 'posts', checked: 250, deleted: 1, removed: 1 },
      { source: 'reddit', kind: 'comments', deleted: 1, removed: 0 },
    ]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/wss_content_purged_total\{source="reddit",kind="posts",reason="removed"\} 1/);

    now += 48 * HOUR_MS;
    expect(await recheck()).toBeGreaterThan(0);
    expect(await counts()).toMatchObject(counted.map(({ deleted, removed }) => ({ deleted, removed })));
  });

  it('loses its files and annotations, except files that another post also shows', async () => {
    await scrape({ target: 'pictures', limit: 20, scrape_comments: false });
    await worker.addWorkspaces();
    const files = await dataSource.query<{ postId: string; path: string; size: number }[]>(
      `SELECT post_id AS "postId", path, size::int FROM media_files WHERE workspace_id = $1 ORDER BY post_id`,
      [workspace.workspaceId],
    );
    const used = async () =>
      (await get<{ quotas: { media_bytes: { used: number } } }>('/usage')).quotas.media_bytes.used;
    const before = await used();
    const isStored = (path: string) => existsSync(join(service.environment.DATA_DIR, 'media', path));
    const ofPost = (id: string) => files.filter(({ postId }) => postId === id);
    const owners = [...new Set(files.map(({ postId }) => postId))].filter(
      (id) =>
        ofPost(id).length === 1 && files.filter(({ path }) => path === ofPost(id)[0]!.path).length === 1,
    );
    const [gone, sharing, other] = owners as [string, string, string];
    await dataSource.query(
      `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
       SELECT workspace_id, gen_random_uuid(), $3, url, url_hash, content_type, 0, sha256, path, created_at
       FROM media_files WHERE workspace_id = $1 AND post_id = $2`,
      [workspace.workspaceId, sharing, other],
    );
    const pathOf = (id: string) => ofPost(id)[0]!.path;
    expect([gone, sharing, other].map((id) => isStored(pathOf(id)))).toEqual([true, true, true]);
    await dataSource.query(`UPDATE posts SET annotations = '{"links": ["a"]}' WHERE workspace_id = $1`, [
      workspace.workspaceId,
    ]);
    await deleteOnPlatform([gone], 'removed');
    await deleteOnPlatform([sharing]);
    now = BEGIN + 48 * HOUR_MS;
    await recheck();
    expect([gone, sharing, other].map((id) => isStored(pathOf(id)))).toEqual([false, true, true]);
    expect(await get(`/posts/${gone}/media`)).toEqual([]);
    expect(await get(`/posts/${sharing}/media`)).toEqual([]);
    expect(await get<unknown[]>(`/posts/${other}/media`)).toHaveLength(2);
    const annotationsOf = (id: string) => get(`/posts/${id}/annotations`);
    expect(await Promise.all([sharing, other].map(annotationsOf))).toEqual([{}, { links: ['a'] }]);
    expect(await used()).toBe(before - ofPost(gone)[0]!.size - ofPost(sharing)[0]!.size);
  });

  it('is overwritten even if the source shows nothing in its place', async () => {
    await scrape({ target: 'hn:new', limit: 60, scrape_comments: false });
    await scrape({ target: 'technology', limit: 60, scrape_comments: false });
    await worker.addWorkspaces();
    const stories = new Set((await ofPlatform('/posts?forum=hn:story&limit=200')).map(({ id }) => id));
    // The synthetic sources show the same content: a story's number is derived from the position of its post.
    const same = (await ofPlatform('/posts?forum=technology&limit=200'))
      .map(({ id }) => ({ id, story: `hn_${1_000_000 + 5_000 * parsePostId(id.slice(3))!.index}` }))
      .find(({ story }) => stories.has(story))!;
    await deleteOnPlatform([same.id], 'removed');
    now = BEGIN + 48 * HOUR_MS;
    await recheck();
    expect(await post(same.story)).toMatchObject({
      title: '[deleted]',
      author: '[deleted]',
      selftext: '[deleted]',
      url: null,
      keywords: [],
    });
    expect((await counts()).filter(({ source }) => source === 'hackernews')).toMatchObject([
      { kind: 'posts', checked: 60, deleted: 1 },
      { kind: 'comments' },
    ]);
  });

  it('is looked up by one process at a time, and by another one after that is lost', async () => {
    await worker.addWorkspaces();
    const due = new Date(now + 49 * HOUR_MS);
    const leaseUntil = new Date(due.getTime() + HOUR_MS);
    const rechecks = service.get(ContentRechecksRepository);
    const claim = async (at: Date) => {
      const claimed = await rechecks.claim(['reddit'], [], { now: at, leaseUntil });
      return claimed && `${claimed.workspaceId} ${claimed.kind}`;
    };
    const [{ count }] = await dataSource.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM content_rechecks WHERE source = 'reddit' AND due_at <= $1`,
      [due],
    );
    expect(count).toBeGreaterThan(1);
    const claimed: (string | null)[] = [];
    for (let n = 0; n < count; n += 1) claimed.push(await claim(due));
    expect(new Set(claimed).size).toBe(count);
    expect(claimed).not.toContain(null);
    expect(await claim(due)).toBeNull();
    expect(await claim(leaseUntil)).not.toBeNull();
    await dataSource.query('UPDATE content_rechecks SET lease_until = NULL');
  });

  it('is looked up only in threads of its own workspace, without overwritten comments', async () => {
    const overwritten = aComment(5, { body: '[deleted]' });
    await storeComments(service, workspace.workspaceId, [aComment(2), aComment(3), overwritten]);
    const other = await service.createWorkspace();
    await storeComments(service, other.workspaceId, [aComment(1), aComment(4)]);
    const threads = await service
      .get(CommentsRepository)
      .listThreadsAfter(workspace.workspaceId, 't1_', new Date(0), { time: '1970-01-01', id: '' }, 10);
    expect(threads.map(({ id, commentIds }) => [id, commentIds.sort()])).toEqual([
      [String(aComment(2).id), [aComment(2).commentId, aComment(3).commentId]],
    ]);
  });

  it('is looked up once per thread, in the order of their oldest comments', async () => {
    const at = (minute: number): Date => new Date(BEGIN + minute * 60_000);
    await storeComments(service, workspace.workspaceId, [
      aComment(1, { postId: 't3_000002', createdUtc: at(5) }),
      aComment(2, { createdUtc: at(3) }),
      aComment(3, { createdUtc: at(3) }),
    ]);
    const threads = await service
      .get(CommentsRepository)
      .listThreadsAfter(workspace.workspaceId, 't1_', new Date(0), { time: '1970-01-01', id: '' }, 10);
    expect(threads.map(({ id }) => id)).toEqual([String(aComment(2).id), String(aComment(1).id)]);
  });

  it('loses no file when only its author is gone', async () => {
    const { workspaceId } = workspace;
    const post = aPost(1, { createdUtc: new Date(BEGIN - HOUR_MS) });
    await storePosts(service, workspaceId, [post]);
    await dataSource.query(
      `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
       VALUES ($1, gen_random_uuid(), $2, 'a', 'a', 'image/png', 1, 'a', $3, now())`,
      [workspaceId, post.id, `${workspaceId}/a.png`],
    );
    const shown = { ...post, author: '[deleted]', reason: 'account_deleted' } as const;
    const lookup: ContentLookup = {
      prefixes: { post: 't3_', comment: 't1_' },
      commentsBy: 'id',
      findGonePosts: () => Promise.resolve([shown]),
      findGoneComments: () => Promise.resolve([]),
    };
    const recheck = {
      ...{ workspaceId, source: 'reddit', kind: 'posts' as const, dueAt: new Date(BEGIN), leaseUntil: null },
      ...{ passStartedAt: null, afterTime: null, afterId: null },
      ...{ checked: 0, deleted: 0, removed: 0, accountDeleted: 0 },
    };
    const times = { now: new Date(BEGIN), intervalMs: HOUR_MS };
    await service.get(ContentRechecker).check(recheck, lookup, times, new AbortController().signal);
    expect((await get<PostRecord>(`/posts/${post.id}`)).author).toBe('[deleted]');
    expect(await get<unknown[]>(`/posts/${post.id}/media`)).toHaveLength(1);
  });

  it('is kept while its workspace is suspended', async () => {
    await scrape({ target: 'small', limit: 20, scrape_comments: false });
    await worker.addWorkspaces();
    const { id, author } = (await ofPlatform('/posts?limit=20')).find(
      ({ author }) => author !== '[deleted]',
    )!;
    await deleteOnPlatform([id]);
    now = BEGIN + 48 * HOUR_MS;
    const setStatus = async (status: string) => {
      await dataSource.query('UPDATE workspaces SET status = $2 WHERE id = $1', [
        workspace.workspaceId,
        status,
      ]);
      await service.app.get(InactiveWorkspaces).refresh();
    };
    await setStatus('suspended');
    await recheck();
    await setStatus('active');
    expect(await post(id)).toMatchObject({ author });
    await recheck();
    expect(await post(id)).toMatchObject({ author: '[deleted]' });
  });
});
