import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/modules/alerts/alert-matching.service.js';
import { JobRunsRepository } from '../../src/modules/jobs/job-runs.repository.js';
import { PostsRepository } from '../../src/modules/posts/posts.repository.js';
import { BatchWriter, type PostBatch } from '../../src/modules/scraping/batch-writer.js';
import { START } from '../../src/modules/scraping/listing-plan.js';
import { LeaseLost } from '../../src/modules/scraping/run-errors.js';
import { ScrapeRun } from '../../src/modules/scraping/scrape-run.js';
import { aPost, type NewPost } from '../factories/posts.js';
import { startTestApplication, type TestApplication } from '../support/application.js';

const HOSTILE = ['', '"', '\\', '{"a","b"}', 'a,b', 'NULL', "it's\n\t\r", '😀é', '\\"', '$1'];

describe('storing batches', () => {
  let service: TestApplication;
  let workspaceId: string;
  let database: DataSource;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'worker' });
    database = service.app.get(DataSource);
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
  });
  afterAll(() => service.close());

  const upsert = (posts: readonly (NewPost & { annotations?: Record<string, unknown> })[]) =>
    service.app
      .get(TransactionRunner, { strict: false })
      .run((tx) => service.app.get(PostsRepository, { strict: false }).upsert(workspaceId, posts, tx));

  const startRun = async (): Promise<ScrapeRun> => {
    const id = randomUUID();
    await database.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
       VALUES ($1, $2, 'technology', 'forum', 'full', 100, false, true)`,
      [workspaceId, id],
    );
    const job = await service.app
      .get(JobRunsRepository, { strict: false })
      .claim(workspaceId, id, 'spec', 60_000, 1);
    return new ScrapeRun(job!, 'spec');
  };

  const batchOf = (posts: NewPost[]): PostBatch => ({
    posts: posts.map((post) => ({ ...post, annotations: {} })),
    firstPosition: 0,
    treesWanted: new Set([posts[0]!.id]),
    media: [],
    position: { ...START, pages: 1 },
  });

  const write = (run: ScrapeRun, batch: PostBatch): Promise<void> =>
    service.app.get(BatchWriter, { strict: false }).writePosts(run, batch);

  it('stores every value as it was given', async () => {
    const posts = HOSTILE.map((text, number) =>
      aPost(number, {
        title: text,
        selftext: text,
        url: number === 0 ? null : text,
        keywords: HOSTILE.slice(0, number),
        score: number % 2 === 0 ? -(2 ** 31) : 2 ** 31 - 1,
        sentimentScore: number / -7,
        createdUtc: new Date(number === 0 ? '1999-12-31T23:59:59.999Z' : '2026-11-21T00:00:00.001Z'),
      }),
    );
    await upsert(posts);
    const repository = service.app.get(PostsRepository, { strict: false });
    for (const post of posts)
      expect(await repository.find(workspaceId, post.id)).toEqual({ ...post, workspaceId });
  });

  it('tells new posts from known ones, which take the new values and keep other annotations', async () => {
    const [one, two] = [aPost(1), aPost(2)];
    expect(await upsert([{ ...one, annotations: { a: 1, b: 1 } }])).toEqual(new Set([one.id]));
    expect(await upsert([two, { ...one, title: '[deleted]', annotations: { b: 2 } }])).toEqual(
      new Set([two.id]),
    );
    const repository = service.app.get(PostsRepository, { strict: false });
    expect((await repository.find(workspaceId, one.id))?.title).toBe('[deleted]');
    expect(await repository.annotations(workspaceId, one.id)).toEqual({ a: 1, b: 2 });
  });

  it('lets batches with the same posts in opposite orders pass each other', async () => {
    const posts = Array.from({ length: 200 }, (_, number) => aPost(number));
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => upsert(turn % 2 === 0 ? posts : [...posts].reverse())),
    );
    expect(added.reduce((sum, ids) => sum + ids.size, 0)).toBe(posts.length);
  });

  it('counts a batch that is stored twice once', async () => {
    const run = await startRun();
    const batch = batchOf([aPost(1), aPost(2)]);
    await write(run, batch);
    await write(run, { ...batch, posts: [...batch.posts, { ...aPost(3), annotations: {} }] });
    const [job] = await database.query<Record<string, unknown>[]>(
      `SELECT posts_scraped, progress->>'posts' AS posts, checkpoint->>'pages' AS pages FROM jobs WHERE id = $1`,
      [run.job.id],
    );
    expect(job).toEqual({ posts_scraped: 3, posts: '3', pages: '1' });
    const listed = await database.query<unknown[]>(
      'SELECT position, comments_pending FROM job_posts WHERE job_id = $1 ORDER BY position',
      [run.job.id],
    );
    expect(listed).toEqual([0, 1, 2].map((position) => ({ position, comments_pending: position === 0 })));
  });

  it('compiles alerts before the transaction begins', async () => {
    const run = await startRun();
    const prepare = jest.spyOn(service.app.get(AlertMatchingService, { strict: false }), 'prepare');
    const transaction = jest.spyOn(service.app.get(TransactionRunner, { strict: false }), 'run');
    await write(run, batchOf([aPost(1)]));
    expect(prepare).toHaveBeenCalledWith(workspaceId);
    expect(prepare.mock.invocationCallOrder[0]).toBeLessThan(transaction.mock.invocationCallOrder[0]!);
  });

  it('leaves nothing behind when the lease is lost', async () => {
    const run = await startRun();
    await database.query('UPDATE jobs SET lease_owner = $2 WHERE id = $1', [run.job.id, 'another']);
    await expect(write(run, batchOf([aPost(1)]))).rejects.toBeInstanceOf(LeaseLost);
    expect(run.hasStored).toBe(false);
    const [{ rows }] = await database.query<[{ rows: number }]>(
      `SELECT (SELECT count(*) FROM posts WHERE workspace_id = $1)::int
         + (SELECT count(*) FROM job_posts WHERE workspace_id = $1)::int AS rows`,
      [workspaceId],
    );
    expect(rows).toBe(0);
  });
});
