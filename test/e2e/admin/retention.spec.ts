import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { EntityManager } from 'typeorm';
import { AppModule } from '../../../src/app.module.js';
import type { TimePosition } from '../../../src/http/pages/time-cursor.js';
import { ExpiredCommentsRepository } from '../../../src/content/comments/expired-comments.repository.js';
import { MediaRepository, type RemovableFile } from '../../../src/content/media/media.repository.js';
import { ExpiredPostsRepository } from '../../../src/content/posts/expired-posts.repository.js';
import { RetentionWorker } from '../../../src/privacy/retention/retention-worker.js';
import { aComment, storeComments } from '../../factories/comments.js';
import { call } from '../../support/client.js';
import { digestWorkspace } from '../../support/rows.js';
import { startTwoWorkspaces } from '../../support/two-workspaces.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
const DAY_MS = 86_400_000;
const RUNNING_JOB = '00000000-0000-4000-8000-000000000004';
const OLD = `now() - interval '10 days'`;
/** Tables whose rows may outlive the post or comment that they name. */
const OUTLIVING = {
  alert_matches: 'matches are kept for 90 days, or until a person no longer keeps them',
  alert_story_keys: 'hashes that recognise reposts have an age of their own',
};
const PENDING_DELIVERIES = `SELECT id FROM deliveries WHERE workspace_id = $1 AND status = 'pending' ORDER BY id`;

const both = await startTwoWorkspaces({ ADMIN_TOKEN: TOKEN });

describe('retention_days of a workspace', () => {
  let scheduler: INestApplication;
  /** A post of `a` with comments that was scraped just now. */
  let fresh: string;

  beforeAll(async () => {
    // Never initialised, so that only the test starts a pass.
    const module = await Test.createTestingModule({
      imports: [AppModule.for({ ...both.service.environment, ROLES: ['scheduler'] })],
    }).compile();
    scheduler = module.createNestApplication();
    fresh = (
      await column<string>(
        'SELECT post_id FROM comments WHERE workspace_id = $1 AND post_id <> $2 LIMIT 1',
        both.a.postId,
      )
    )[0]!;
    await both.dataSource.query(`UPDATE posts SET scraped_at = ${OLD} WHERE workspace_id <> $1 OR id <> $2`, [
      both.a.workspaceId,
      fresh,
    ]);
    await both.dataSource.query(
      `UPDATE comments SET scraped_at = ${OLD}, created_utc = least(created_utc, ${OLD})`,
    );
    await both.dataSource.query(
      `INSERT INTO post_scores (workspace_id, post_id, seen_at, score, upvote_ratio, num_comments)
       SELECT workspace_id, id, now(), 1, 1, 1 FROM posts ON CONFLICT DO NOTHING`,
    );
    await both.dataSource.query(
      `INSERT INTO labels (workspace_id, labeller, record_id, label)
       SELECT workspace_id, 'everybody', id, 'read' FROM posts
       UNION ALL SELECT workspace_id, 'everybody', comment_id, 'read' FROM comments`,
    );
    await both.dataSource.query(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
       SELECT workspace_id, '${RUNNING_JOB}', id, 1, true FROM posts`,
    );
    await both.dataSource.query(
      `INSERT INTO job_media (workspace_id, job_id, post_id, url, url_hash)
       SELECT workspace_id, '${RUNNING_JOB}', id, 'url', '' FROM posts`,
    );
    await both.dataSource.query(`UPDATE media_files SET created_at = ${OLD}`);
    await both.dataSource.query(`UPDATE outbox_events SET relayed_at = ${OLD} WHERE relayed_at IS NOT NULL`);
    await both.dataSource.query(`UPDATE jobs SET completed_at = ${OLD} WHERE completed_at IS NOT NULL`);
  });
  afterAll(async () => {
    await scheduler?.close();
  });

  /** The first column of the rows of `a`. */
  async function column<T>(sql: string, ...parameters: unknown[]): Promise<T[]> {
    const rows = await both.dataSource.query<Record<string, T>[]>(sql, [both.a.workspaceId, ...parameters]);
    return rows.map((row) => Object.values(row)[0]!);
  }

  /** Tables with a column that names a post or comment, without {@link OUTLIVING} ones. */
  async function tablesOfRecords(): Promise<{ table: string; column: string }[]> {
    return both.dataSource.query(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)
         AND column_name IN ('post_id', 'comment_id', 'record_id')
       ORDER BY 1, 2`,
      [Object.keys(OUTLIVING)],
    );
  }

  /** The names among these tables that have rows of `a` for which a condition on the id `named` holds. */
  async function withRows(condition: string): Promise<string[]> {
    const found: string[] = [];
    for (const { table, column: name } of await tablesOfRecords()) {
      const rows = await column(
        `SELECT 1 FROM (SELECT ${name} AS named FROM ${table} WHERE workspace_id = $1) AS rows
         WHERE ${condition} LIMIT 1`,
      );
      if (rows.length > 0) found.push(table);
    }
    return found;
  }

  /** Tables with rows of `a` that name a post or comment which is no longer stored. */
  const outlived = (): Promise<string[]> =>
    withRows(
      `NOT EXISTS (SELECT 1 FROM posts WHERE workspace_id = $1 AND id = named)
       AND NOT EXISTS (SELECT 1 FROM comments WHERE workspace_id = $1 AND comment_id = named)`,
    );

  const admin = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${both.service.url}/api/v1/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const setDays = (retention_days: object): Promise<Response> =>
    admin('PATCH', `/workspaces/${both.a.workspaceId}`, { retention_days });

  async function deleteExpired(): Promise<void> {
    const worker = scheduler.get(RetentionWorker, { strict: false });
    while (await worker.work());
  }

  it('are checked, merged and cleared, and their changes logged', async () => {
    const refused = await setDays({ posts: -1, jobs: 1.5 });
    expect(refused.status).toBe(400);
    const { errors } = (await refused.json()) as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(['retention_days.posts', 'retention_days.jobs']);
    expect(await (await setDays({ posts: 30, media: 7, jobs: 9 })).json()).toMatchObject({
      retention_days: { posts: 30, media: 7, jobs: 9 },
    });
    const { retention_days } = (await (await setDays({ posts: null, media: 0 })).json()) as {
      retention_days: object;
    };
    expect(retention_days).toEqual({ jobs: 9 });
    const log = (await (await admin('GET', `/audit?workspace_id=${both.a.workspaceId}&limit=1`)).json()) as {
      entries: object[];
    };
    expect(JSON.stringify(log)).toContain('retention_days');
    await setDays({ jobs: null });
  });

  it('delete posts with comments and files, deliveries and jobs of one workspace', async () => {
    const others = await digestWorkspace(both.dataSource, both.b.workspaceId);
    const { a } = both;
    const unfinished = await column(
      'SELECT id FROM jobs WHERE workspace_id = $1 AND completed_at IS NULL ORDER BY id',
    );
    expect(unfinished).toEqual(expect.arrayContaining([a.jobs.pending, a.jobs.running]));
    const pending = await column(PENDING_DELIVERIES);
    expect(pending).toContain(a.deliveries.pending);
    const tables = (await tablesOfRecords()).map(({ table }) => table);
    expect(tables).toEqual(expect.arrayContaining(['comments', 'labels', 'media_files', 'post_scores']));
    expect(await withRows('true')).toEqual(tables);
    const logged = await column<string>('SELECT DISTINCT job_id FROM job_log WHERE workspace_id = $1');
    expect(logged).toContain(a.jobs.completed);
    await setDays({ posts: 5, deliveries: 5, jobs: 5 });
    await deleteExpired();

    expect(await column('SELECT id FROM posts WHERE workspace_id = $1')).toEqual([fresh]);
    expect(await outlived()).toEqual([]);
    expect(await column('SELECT DISTINCT post_id FROM comments WHERE workspace_id = $1')).toEqual([fresh]);
    expect(await column('SELECT DISTINCT post_id FROM post_scores WHERE workspace_id = $1')).toEqual([fresh]);
    expect(
      await column('SELECT post_id FROM media_files WHERE workspace_id = $1 AND post_id <> $2', fresh),
    ).toEqual([]);
    const paths = await column<string>('SELECT DISTINCT path FROM media_files WHERE workspace_id = $1');
    const folder = join(both.service.environment.DATA_DIR, 'media', a.workspaceId);
    const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    expect(files.filter((file) => file.isFile())).toHaveLength(paths.length);
    expect(
      await column(
        'SELECT bytes = (SELECT coalesce(sum(size), 0) FROM media_files WHERE workspace_id = $1) FROM media_usage WHERE workspace_id = $1',
      ),
    ).toEqual([true]);
    expect((await call<{ total: number }>(both.service, a, 'GET', '/posts')).total).toBe(1);
    const [comments] = await column<string>('SELECT count(*) FROM comments WHERE workspace_id = $1');
    expect((await call<{ total: number }>(both.service, a, 'GET', '/comments')).total).toBe(Number(comments));

    expect(await column('SELECT id FROM jobs WHERE workspace_id = $1 AND completed_at IS NOT NULL')).toEqual(
      [],
    );
    expect(await column('SELECT id FROM jobs WHERE workspace_id = $1 ORDER BY id')).toEqual(unfinished);
    expect(
      await column('SELECT job_id FROM job_log WHERE workspace_id = $1 AND job_id <> ALL ($2)', unfinished),
    ).toEqual([]);
    expect(await column(PENDING_DELIVERIES)).toEqual(pending);
    expect(
      await column(
        `SELECT event_id FROM deliveries WHERE workspace_id = $1 GROUP BY event_id HAVING bool_and(status <> 'pending')`,
      ),
    ).toEqual([]);
    expect(await digestWorkspace(both.dataSource, both.b.workspaceId)).toEqual(others);
  });

  it('keep a post that was scraped again after it was selected as expired', async () => {
    const posts = scheduler.get(ExpiredPostsRepository, { strict: false });
    const lock = (before: number) =>
      both.dataSource.transaction((tx) => posts.lock(both.a.workspaceId, [fresh], new Date(before), tx));
    expect(await lock(Date.now() - 5 * DAY_MS)).toEqual([]);
    expect(await lock(Date.now() + DAY_MS)).toEqual([fresh]);
  });

  it('keep a comment that was scraped again after it was selected as expired', async () => {
    const { workspaceId } = await both.service.createWorkspace();
    const old = new Date(Date.now() - 10 * DAY_MS);
    await storeComments(
      both.service,
      workspaceId,
      [1, 2].map((number) => aComment(number, { createdUtc: old, scrapedAt: old })),
    );
    const comments = scheduler.get(ExpiredCommentsRepository, { strict: false });
    const examined = await both.dataSource.transaction((tx) => {
      let statements = 0;
      const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
        const found: unknown = await tx.query(text, parameters);
        statements += 1;
        if (statements === 1)
          await tx.query('UPDATE comments SET scraped_at = now() WHERE workspace_id = $1 AND id = $2', [
            workspaceId,
            aComment(1).id,
          ]);
        return found;
      };
      const before = new Date(Date.now() - 5 * DAY_MS);
      return comments.deleteBatch(workspaceId, before, null, 10, { query } as unknown as EntityManager);
    });
    expect(examined).toMatchObject({ examined: 2, deleted: [aComment(2).commentId] });
    expect(
      await both.dataSource.query('SELECT id FROM comments WHERE workspace_id = $1', [workspaceId]),
    ).toEqual([{ id: String(aComment(1).id) }]);
  });

  it('leave a post that another transaction has locked to a later pass', async () => {
    const posts = scheduler.get(ExpiredPostsRepository, { strict: false });
    const { workspaceId } = both.a;
    await both.dataSource.transaction(async (other) => {
      await other.query('SELECT 1 FROM posts WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [
        workspaceId,
        fresh,
      ]);
      const locked = await both.dataSource.transaction(async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = '1s'`);
        return posts.lock(workspaceId, [fresh], new Date(Date.now() + DAY_MS), tx);
      });
      expect(locked).toEqual([]);
    });
  });

  it.each([
    ['of one moment', 0],
    ['the newer of which have lower ids', DAY_MS],
  ])('delete all comments %s, however many batches these take', async (_, apartMs) => {
    const { workspaceId } = await both.service.createWorkspace();
    const stored = [1, 2, 3].map((number) => {
      const createdUtc = new Date(Date.now() - 10 * DAY_MS - number * apartMs);
      return aComment(number, { createdUtc, scrapedAt: createdUtc });
    });
    await storeComments(both.service, workspaceId, stored);
    const comments = scheduler.get(ExpiredCommentsRepository, { strict: false });
    const before = new Date(Date.now() - 5 * DAY_MS);
    const deleteAfter = (after: TimePosition | null) =>
      both.dataSource.transaction((tx) => comments.deleteBatch(workspaceId, before, after, 2, tx));
    const first = await deleteAfter(null);
    const second = await deleteAfter(first.last);
    expect([first.deleted.length, second.deleted.length]).toEqual([2, 1]);
  });

  it('keep the bytes of a file that are shared with a remaining file', async () => {
    const { workspaceId } = await both.service.createWorkspace();
    const media = scheduler.get(MediaRepository, { strict: false });
    const before = new Date(Date.now() - 5 * DAY_MS);
    await both.dataSource.query(
      `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
       SELECT $1, gen_random_uuid(), post, path, (post || path)::bytea, 'image/png', 1, path, path, now() - days * interval '1 day'
       FROM (VALUES ('t3_1', 'same', 10), ('t3_2', 'same', 9), ('t3_2', 'own', 9), ('t3_3', 'late', 8), ('t3_4', 'late', 1))
         AS file (post, path, days)`,
      [workspaceId],
    );
    const shared = (files: RemovableFile[]) =>
      files.map(({ path, isShared }) => `${path} ${isShared ? 'shared' : 'alone'}`).sort();
    expect(shared(await media.listOfPosts(workspaceId, ['t3_1']))).toEqual(['same shared']);
    expect(shared(await media.listOfPosts(workspaceId, ['t3_1', 't3_2']))).toEqual([
      'own alone',
      'same alone',
      'same alone',
    ]);
    expect(shared(await media.listStoredBefore(workspaceId, before, 10))).toEqual([
      'late shared',
      'own alone',
      'same alone',
      'same alone',
    ]);
    expect(await media.listStoredBefore(workspaceId, before, 2)).toHaveLength(2);
  });

  it('delete expired comments and files of posts that are kept', async () => {
    await setDays({ posts: null, comments: 5, media: 5 });
    await deleteExpired();
    for (const table of ['comments', 'media_files'])
      expect(await column(`SELECT 1 FROM ${table} WHERE workspace_id = $1`)).toEqual([]);
    expect(await column('SELECT id FROM posts WHERE workspace_id = $1')).toEqual([fresh]);
    expect((await call<{ total: number }>(both.service, both.a, 'GET', '/comments')).total).toBe(0);
    expect(await outlived()).toEqual([]);
    expect(await column('SELECT DISTINCT record_id FROM labels WHERE workspace_id = $1')).toEqual([fresh]);
  });
});
