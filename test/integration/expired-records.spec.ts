import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { MediaRepository } from '../../src/content/media/media.repository.js';
import { MediaStore } from '../../src/content/media/media-store.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { Removals } from '../../src/tenants/ports/removals.js';
import { RetentionWorker } from '../../src/privacy/retention/retention-worker.js';
import { aComment } from '../factories/comments.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';

/** Tables that keep the id of a record which retention removed, and why. */
const KEPT_BY: Record<string, string> = {
  alert_matches: 'a match has a retention of its own, and shows its record as null then',
  alert_story_keys: 'hashes, deleted after seven days, by which reposts of a match are recognised',
  arrivals: 'deleted after a day, which is the shortest retention',
  job_stored_posts: 'the posts of a job are known as long as the job',
  outbox_events: 'events have a retention of their own',
  search_changes: 'from which the search index learns which rows to remove',
};
/** Tables with ids of records that no owner has to remove, and why. */
const GO_WITHOUT_OWNER: Record<string, string> = {
  alert_story_keys: 'hashes, deleted after seven days',
  comments: 'records themselves, removed before their post',
  media_files: 'removed with the files, by the removal of a post',
  post_scores: 'deleted by the repository of posts, with their post',
  search_changes: 'from which the search index learns which rows to remove',
};
/** Columns with ids of posts and comments. */
const RECORD_COLUMN = '^(post|comment|record|row)_ids?$';
const TABLES = `FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
const JOB = randomUUID();
const POST = aPost(1, {
  title: 'Rust that expires',
  selftext: 'a text long enough for the keys of its story',
});
const REPLY = aComment(1, { postId: POST.id, body: 'Rust in a reply' });
const OTHER = aPost(2, { title: 'Rust that stays' });
const COMMENT = aComment(2, {
  postId: OTHER.id,
  parentId: OTHER.id,
  body: 'Rust in a comment that expires',
});
const STAYING = aComment(3, { postId: OTHER.id, parentId: OTHER.id, body: 'Rust in a comment that stays' });
const EXPIRED = [POST.id, REPLY.commentId, COMMENT.commentId];

let scheduler: INestApplication;
let workspace: TestWorkspace;

const service = await startTestApplication({ ROLES: 'api' });
beforeAll(async () => {
  // Never initialised, so that only the test starts a pass.
  const module = await Test.createTestingModule({
    imports: [AppModule.for({ ...service.environment, ROLES: ['scheduler'] })],
  }).compile();
  scheduler = module.createNestApplication();
});
beforeEach(async () => {
  workspace = await service.createWorkspace();
  await fill();
});
afterAll(async () => {
  await scheduler?.close();
});

const sql = <Row>(text: string, ...parameters: unknown[]): Promise<Row[]> =>
  service.app.get(DataSource).query<Row[]>(text, [workspace.workspaceId, ...parameters]);

/** The names of tables with a column for which the condition holds. */
const tablesWhere = async (condition: string): Promise<string[]> =>
  (
    await service.app
      .get(DataSource)
      .query<{ name: string }[]>(`SELECT DISTINCT table_name AS name ${TABLES} AND ${condition} ORDER BY 1`)
  ).map(({ name }) => name);

/** Stores two posts with comments as a scrape does, and a row about them in every table that may have one. */
async function fill(): Promise<void> {
  const { workspaceId } = workspace;
  await call(service, workspace, 'POST', '/alerts', { name: 'Rust', keywords: ['rust'], of: 'all' });
  const [posts, comments] = [
    [POST, OTHER],
    [REPLY, COMMENT, STAYING],
  ];
  await service.get(TransactionRunner).run(async (tx) => {
    await service.get(PostsRepository).upsert(workspaceId, posts, tx);
    await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
    await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts, comments }, null, tx);
  });
  const ids = [...posts.map(({ id }) => id), ...comments.map(({ commentId }) => commentId)];
  await call(service, workspace, 'POST', '/labels', {
    labeller: 'coder_1',
    csv: ['id,label', ...ids.map((id) => `${id},good`)].join('\n'),
  });
  const postIds = posts.map(({ id }) => id);
  await sql(
    `INSERT INTO post_scores (workspace_id, post_id, seen_at, score, upvote_ratio, num_comments)
     SELECT $1, unnest($2::text[]), now(), 1, 1, 1 ON CONFLICT DO NOTHING`,
    postIds,
  );
  await sql(
    `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
     SELECT $1, $2, unnest($3::text[]), 1, true`,
    JOB,
    postIds,
  );
  await sql(
    `INSERT INTO job_media (workspace_id, job_id, post_id, url, url_hash) SELECT $1, $2, unnest($3::text[]), 'u', ''`,
    JOB,
    postIds,
  );
  await sql(
    'INSERT INTO job_stored_posts (workspace_id, job_id, post_ids) VALUES ($1, $2, $3)',
    JOB,
    postIds,
  );
  await sql(
    `INSERT INTO story_records (workspace_id, scope, record_id, story_id) SELECT $1, 1, unnest($2::text[]), $3`,
    [...postIds, ...comments.map(({ commentId }) => `comment:${commentId}`)],
    JOB,
  );
  for (const postId of postIds) await storeFile(postId);
  await sql(`UPDATE posts SET scraped_at = now() WHERE workspace_id = $1 AND id = $2`, OTHER.id);
  await sql(
    'UPDATE comments SET scraped_at = now() WHERE workspace_id = $1 AND comment_id = $2',
    STAYING.commentId,
  );
}

async function storeFile(postId: string, path = `file of ${postId}`): Promise<void> {
  await sql(
    `INSERT INTO media_files (workspace_id, id, post_id, url, url_hash, content_type, size, sha256, path, created_at)
     VALUES ($1, gen_random_uuid(), $2, $3::text, $3::text::bytea, 'image/png', 1, $3::text, $3::text, now())`,
    postId,
    path,
  );
  await sql(
    `INSERT INTO media_usage AS counted (workspace_id, bytes) VALUES ($1, 1)
     ON CONFLICT (workspace_id) DO UPDATE SET bytes = counted.bytes + 1`,
  );
}

/** The tables in which rows of the workspace name one of these records, in any column. */
async function tablesNaming(ids: readonly string[]): Promise<string[]> {
  const naming: string[] = [];
  for (const name of await tablesWhere(`column_name = 'workspace_id'`)) {
    const found = await sql(
      `SELECT FROM "${name}" AS row WHERE workspace_id = $1 AND to_jsonb(row)::text ~ $2 LIMIT 1`,
      `\\m(${ids.join('|')})\\M`,
    );
    if (found.length > 0) naming.push(name);
  }
  return naming;
}

async function expire(days: Record<string, number>): Promise<void> {
  await sql('UPDATE workspaces SET retention_days = $2 WHERE id = $1', JSON.stringify(days));
  const worker = scheduler.get(RetentionWorker, { strict: false });
  while (await worker.work());
}

describe('retention', () => {
  it('leaves no row of an expired record, except where that is said', async () => {
    const before = await tablesNaming(EXPIRED);
    expect(before).toEqual(expect.arrayContaining(await tablesWhere(`column_name ~ '${RECORD_COLUMN}'`)));
    await expire({ posts: 5, comments: 5 });
    expect(await tablesNaming(EXPIRED)).toEqual(Object.keys(KEPT_BY));
    expect(await tablesNaming([OTHER.id, STAYING.commentId])).toEqual(before);
  });

  it('removes a file that was stored after those of its post were listed', async () => {
    const removed: string[] = [];
    const store = scheduler.get(MediaStore, { strict: false });
    jest.spyOn(store, 'remove').mockImplementation((path) => Promise.resolve(void removed.push(path)));
    const media = scheduler.get(MediaRepository, { strict: false });
    const list = media.listOfPosts.bind(media);
    jest.spyOn(media, 'listOfPosts').mockImplementationOnce(async (...given) => {
      const listed = await list(...given);
      await storeFile(POST.id, 'a later file');
      return listed;
    });
    await expire({ posts: 5 });
    jest.restoreAllMocks();
    expect(removed).toEqual([`file of ${POST.id}`, 'a later file']);
    expect(await sql('SELECT post_id FROM media_files WHERE workspace_id = $1')).toEqual([
      { post_id: OTHER.id },
    ]);
    expect(await sql('SELECT bytes FROM media_usage WHERE workspace_id = $1')).toEqual([{ bytes: '1' }]);
  });

  it('has an owner that removes the rows of every other table with ids of records', async () => {
    const tables = await service
      .get(DataSource)
      .query<{ name: string }[]>(`SELECT DISTINCT table_name AS name ${TABLES} AND column_name ~ $1`, [
        RECORD_COLUMN,
      ]);
    const owned = scheduler.get(Removals, { strict: false }).tables;
    expect(
      tables
        .map(({ name }) => name)
        .filter((name) => !owned.includes(name))
        .sort(),
    ).toEqual(Object.keys(GO_WITHOUT_OWNER));
  });
});
