import { randomBytes, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RetryingTransactions } from '../../src/database/retrying-transactions.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertMatcher } from '../../src/alerts/matching/alert-matcher.js';
import type { MediaFile } from '../../src/content/media/media-file.entity.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import { MediaQuota } from '../../src/content/media/media-quota.js';
import { MediaRepository, type PendingMedia } from '../../src/content/media/media.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { BatchWriter, type PostBatch } from '../../src/collect/scraping/batch-writer.js';
import { LeaseLost } from '../../src/common/leased-work.js';
import type { JobExecution } from '../../src/collect/scraping/job-execution.js';
import { JobExecutionsRepository } from '../../src/collect/scraping/job-executions.repository.js';
import { JobClaims } from '../../src/collect/scraping/job-claims.js';
import { JobWorker } from '../../src/collect/scraping/job-worker.js';
import { START } from '../../src/collect/scraping/listing-checkpoint.js';
import { keysToBytes } from '../../src/collect/scraping/workspace-keywords.js';
import { WorkListRepository } from '../../src/collect/scraping/work-list.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost, type NewPost } from '../factories/posts.js';
import { MAX_BODY_LENGTH, MAX_TITLE_LENGTH } from '../../src/platforms/http/response-parsing.js';
import { startTestApplication } from '../support/application.js';

const HOSTILE = ['', '"', '\\', '{"a","b"}', 'a,b', 'NULL', "it's\n\t\r", '😀é', '\\"', '$1'];

const NEUTRAL = { sentimentScore: 0, sentimentLabel: 'neutral' } as const;

const service = await startTestApplication({ ROLES: 'worker' });
const database = service.app.get(DataSource);

describe('storing batches', () => {
  let workspaceId: string;

  beforeAll(async () => {
    // Stops the worker, because the tests claim their jobs themselves.
    await service.get(JobWorker).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
  });

  const upsert = async (posts: readonly (NewPost & { annotations?: Record<string, unknown> })[]) => {
    const stored = await service
      .get(TransactionRunner)
      .run((tx) => service.get(PostsRepository).upsert(workspaceId, posts, tx));
    return stored.newIds;
  };

  const startExecution = async (): Promise<JobExecution> => {
    await database.query('DELETE FROM job_executions');
    await database.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
       VALUES ($1, $2, 'technology', 'forum', 'full', 100, false, true)`,
      [workspaceId, randomUUID()],
    );
    const execution = await service.get(JobClaims).claimNext({ small: 0, large: 0 });
    expect(execution?.job.workspaceId).toBe(workspaceId);
    return execution!;
  };

  const batchOf = (posts: NewPost[], changes: Partial<PostBatch> = {}): PostBatch => ({
    posts: posts.map((post, index) => ({
      row: { ...post, annotations: {} },
      phraseKeys: Uint32Array.of(index, 7),
    })),
    addsOnly: false,
    firstPosition: 0,
    treesPending: new Set([posts[0]!.id]),
    media: [],
    checkpoint: { ...START, pages: 1 },
    ...changes,
  });

  const writer = (): BatchWriter => service.get(BatchWriter);
  const quota = (): MediaQuota => service.get(MediaQuota);
  const limitMedia = (mediaBytes: number) =>
    database.query('UPDATE workspaces SET quotas = $2 WHERE id = $1', [
      workspaceId,
      { media_bytes: mediaBytes },
    ]);
  /** Records a file of ten bytes. */
  const insertFile = (number: number) => {
    const medium = {
      postId: aPost(1).id,
      url: `https://media.test/${number}.png`,
      audioUrls: [],
      fallbackUrl: null,
    };
    const file = { ...aFile(workspaceId, medium), size: 10 };
    return service.get(TransactionRunner).run((tx) => quota().insert(workspaceId, file, tx));
  };
  const write = (execution: JobExecution, batch: PostBatch) => writer().writePosts(execution, batch);
  /** Saves the progress of the tree of the first post. */
  const saveTree = (execution: JobExecution, comments: number, { missing = 0, done = false } = {}) =>
    writer().writeComments(execution, {
      comments: [],
      trees: [{ postId: aPost(1).id, comments, missing, done }],
    });
  const jobRow = async (execution: JobExecution): Promise<Record<string, unknown>> => {
    const [row] = await database.query<[Record<string, unknown>]>(
      `SELECT status, posts_scraped, comments_scraped, media_downloaded, progress FROM jobs WHERE id = $1`,
      [execution.job.id],
    );
    return row;
  };
  const storedRows = async (): Promise<number> => {
    const [{ rows }] = await database.query<[{ rows: number }]>(
      `SELECT (SELECT count(*) FROM posts WHERE workspace_id = $1)::int
         + (SELECT count(*) FROM comments WHERE workspace_id = $1)::int
         + (SELECT count(*) FROM job_posts WHERE workspace_id = $1)::int
         + (SELECT count(*) FROM media_files WHERE workspace_id = $1)::int AS rows`,
      [workspaceId],
    );
    return rows;
  };

  it('replaces gone content, and the data derived from it, if a field differs', async () => {
    const posts = service.get(PostsRepository);
    const comments = service.get(CommentsRepository);
    const { manager } = database;
    const scrapedAt = new Date(Date.UTC(2026, 5, 1));
    const annotations = { links: ['https://example.com/'] };
    const gone = { title: '[deleted]', author: '[deleted]', selftext: '', url: null, mediaUrls: [] };
    const keywords: string[] = [];
    const derived = { hasMedia: false, keywords, sentimentScore: 0, sentimentLabel: 'neutral' } as const;
    const shown = { ...gone, ...derived };
    const before = [
      gone,
      ...(['title', 'author', 'selftext', 'url'] as const).map((field) => ({
        ...gone,
        [field]: 'as it was',
      })),
      { ...gone, mediaUrls: ['https://example.com/a.jpg'] },
    ];
    await upsert(
      before.map((post, n) => aPost(n, { ...post, hasMedia: true, keywords: ['secret'], annotations })),
    );
    const ids = before.map((_, n) => aPost(n).id);
    const changed = await posts.overwriteGone(
      workspaceId,
      ids.map((id) => ({ id, ...shown })),
      scrapedAt,
      manager,
    );
    expect(changed.sort()).toEqual(ids.slice(1));
    for (const id of ids.slice(1))
      expect([await posts.find(workspaceId, id), await posts.annotations(workspaceId, id)]).toMatchObject([
        { ...shown, scrapedAt },
        {},
      ]);
    expect(await posts.annotations(workspaceId, ids[0]!)).toEqual(annotations);
    expect(await posts.annotations(workspaceId, ids[1]!)).toEqual({});

    const reply = { author: '[deleted]', body: '[deleted]' };
    await comments.upsert(
      workspaceId,
      [reply, { ...reply, author: 'ann' }, { ...reply, body: 'as it was' }].map((comment, n) =>
        aComment(n, { ...comment, annotations }),
      ),
      manager,
    );
    const overwritten = [0, 1, 2].map((n) => ({
      id: aComment(n).id,
      commentId: aComment(n).commentId,
      ...reply,
      ...NEUTRAL,
    }));
    expect((await comments.overwriteGone(workspaceId, overwritten, scrapedAt, manager)).sort()).toEqual(
      [1, 2].map((n) => aComment(n).commentId),
    );
    const stored = await database.query<object[]>(
      `SELECT author, body, annotations, scraped_at AS "scrapedAt" FROM comments WHERE workspace_id = $1 ORDER BY id`,
      [workspaceId],
    );
    expect(stored).toEqual([
      { ...reply, annotations, scrapedAt: aComment(0).scrapedAt },
      { ...reply, annotations: {}, scrapedAt },
      { ...reply, annotations: {}, scrapedAt },
    ]);
  });

  it('lists posts of one source after a position, ordered by id within the same time', async () => {
    const posts = service.get(PostsRepository);
    const createdUtc = new Date(Date.UTC(2026, 0, 1));
    const ids = ['t3_b', 'hn_2', 't3_a', 't3_c'];
    await upsert(ids.map((id, n) => aPost(n, { id, createdUtc })));
    const newest = await posts.newest(workspaceId, [], 3);
    expect(newest.map(({ id }) => id)).toEqual(['t3_c', 't3_b', 't3_a']);
    const position = { time: createdUtc.toISOString(), id: 't3_a' };
    const after = await posts.listCreatedAfter(workspaceId, 't3_', position, 10);
    expect(after.map(({ id }) => id)).toEqual(['t3_b', 't3_c']);
    const others = await posts.listCreatedAfter(workspaceId, 'hn_', { ...position, id: '' }, 10);
    expect(others.map(({ id }) => id)).toEqual(['hn_2']);
  });

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
    const repository = service.get(PostsRepository);
    for (const post of posts)
      expect(await repository.find(workspaceId, post.id)).toEqual({
        ...post,
        workspaceId,
        modelLabel: null,
        isPromotion: false,
        language: expect.any(String) as string,
      });
  });

  it('distinguishes new posts from stored ones, which get the new values', async () => {
    const [one, two] = [aPost(1), aPost(2)];
    expect(await upsert([{ ...one, annotations: { a: 1, b: 1 } }])).toEqual(new Set([one.id]));
    expect(await upsert([two, { ...one, title: '[deleted]', annotations: { b: 2 } }])).toEqual(
      new Set([two.id]),
    );
    const repository = service.get(PostsRepository);
    expect((await repository.find(workspaceId, one.id))?.title).toBe('[deleted]');
    expect(await repository.annotations(workspaceId, one.id)).toEqual({ a: 1, b: 2 });
  });

  it('stores batches with the same posts in opposite orders without a deadlock', async () => {
    const posts = Array.from({ length: 200 }, (_, number) => aPost(number));
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => upsert(turn % 2 === 0 ? posts : [...posts].reverse())),
    );
    expect(added.reduce((sum, ids) => sum + ids.size, 0)).toBe(posts.length);
  });

  it('counts a batch that is stored twice once', async () => {
    const execution = await startExecution();
    const posts = [aPost(1), aPost(2)];
    await write(execution, batchOf(posts));
    await write(execution, batchOf([...posts, aPost(3)]));
    expect(await jobRow(execution)).toMatchObject({ posts_scraped: 3, progress: { posts: 3, posts_new: 3 } });
    const listed = await database.query<unknown[]>(
      'SELECT position, comments_pending, phrase_keys FROM job_posts WHERE job_id = $1 ORDER BY position',
      [execution.job.id],
    );
    expect(listed).toEqual(
      [0, 1, 2].map((position) => ({
        position,
        comments_pending: position === 0,
        phrase_keys: keysToBytes(Uint32Array.of(position, 7)),
      })),
    );
    const [row] = await database.query<unknown[]>(
      'SELECT checkpoint, attempts FROM job_executions WHERE job_id = $1',
      [execution.job.id],
    );
    expect(row).toEqual({ checkpoint: { ...START, pages: 1 }, attempts: 0 });
  });

  it('leaves stored posts unchanged in a batch that only adds', async () => {
    const stored = aPost(1, { title: '[deleted]', selftext: '[deleted]' });
    await upsert([stored]);
    const execution = await startExecution();
    await write(execution, batchOf([aPost(1), aPost(2)], { addsOnly: true }));
    const posts = service.get(PostsRepository);
    expect(await posts.find(workspaceId, stored.id)).toEqual({
      ...stored,
      workspaceId,
      modelLabel: null,
      isPromotion: false,
      language: expect.any(String) as string,
    });
    expect(await posts.find(workspaceId, aPost(2).id)).toMatchObject({ title: aPost(2).title });
    expect(await posts.scoreHistory(workspaceId, stored.id)).toHaveLength(1);
    expect(await jobRow(execution)).toMatchObject({ posts_scraped: 2 });
    const keys = await service.get(WorkListRepository).phraseKeys(workspaceId, execution.job.id, '', 10);
    expect(keys.map(({ id }) => id)).toEqual([aPost(2).id]);
  });

  it('counts phrases only of posts that are new to the workspace', async () => {
    await upsert([aPost(1)]);
    const execution = await startExecution();
    await write(execution, batchOf([aPost(1), aPost(2)]));
    const keys = await service.get(WorkListRepository).phraseKeys(workspaceId, execution.job.id, '', 10);
    expect(keys).toEqual([{ id: aPost(2).id, keys: keysToBytes(Uint32Array.of(1, 7)) }]);
  });

  it('stores the first of several rows of one batch with the same id', async () => {
    const execution = await startExecution();
    const [first, last] = [aPost(1, { score: 1 }), aPost(1, { score: 2 })];
    await write(execution, batchOf([first, aPost(2), last]));
    const posts = service.get(PostsRepository);
    expect((await posts.find(workspaceId, last.id))?.score).toBe(1);
    expect(await jobRow(execution)).toMatchObject({ posts_scraped: 2 });
    // Ids that differ only in case have the same number; a tree can also contain a comment of another tree.
    const comments = [
      { ...aComment(10, { commentId: 't1_a' }), annotations: {} },
      { ...aComment(11), annotations: {} },
      { ...aComment(10, { commentId: 't1_A', postId: aPost(2).id }), annotations: {} },
    ];
    await writer().writeComments(execution, { comments, trees: [] });
    const stored = service.get(CommentsRepository);
    expect(await stored.countAll(workspaceId)).toBe(2);
    expect(await stored.find(workspaceId, 't1_a')).toMatchObject({ id: 10, commentId: 't1_a' });
  });

  it('stores texts of the maximum length whose words all differ', async () => {
    // Words with three bytes per character make the largest tsvectors at this length.
    const texts = (length: number): string[] => [
      differentWords(length, (word) => word(3)),
      differentWords(length, (word) => `${word(3)}-${word(3)}`),
    ];
    const titles = texts(MAX_TITLE_LENGTH);
    const posts = texts(MAX_BODY_LENGTH).map((selftext, at) => aPost(at, { selftext, title: titles[at] }));
    expect((await upsert(posts)).size).toBe(posts.length);
  });

  it('counts a finished tree once, and of one walked again only the additions', async () => {
    const execution = await startExecution();
    await write(execution, batchOf([aPost(1)]));
    const save = (comments: number, done: boolean) => saveTree(execution, comments, { missing: 2, done });
    await save(5, false);
    expect(await jobRow(execution)).toMatchObject({ comments_scraped: 5, progress: { comments: 5 } });
    await save(3, false);
    expect(await jobRow(execution)).toMatchObject({ comments_scraped: 5 });
    await save(8, true);
    await save(8, true);
    await save(9, false);
    expect(await jobRow(execution)).toMatchObject({
      comments_scraped: 8,
      progress: { comments: 8, comments_missing: 2 },
    });
  });

  it('counts the comments that a tree has at its end', async () => {
    const execution = await startExecution();
    await write(execution, batchOf([aPost(1)]));
    await saveTree(execution, 5);
    await saveTree(execution, 3, { done: true });
    expect(await jobRow(execution)).toMatchObject({ comments_scraped: 3, progress: { comments: 3 } });
  });

  it('counts a tree for each of the jobs that walk it', async () => {
    const [first, second] = [await startExecution(), await startExecution()];
    await service
      .get(JobExecutionsRepository)
      .create(
        workspaceId,
        first.job.id,
        { isSmall: true, owner: first.lease.owner, leaseMs: 60_000 },
        database.manager,
      );
    for (const execution of [first, second]) await write(execution, batchOf([aPost(1)]));
    for (const [forFirst, forSecond] of [
      [5, 8],
      [6, 9],
    ]) {
      await saveTree(first, forFirst!);
      await saveTree(second, forSecond!);
    }
    expect(await jobRow(first)).toMatchObject({ comments_scraped: 6 });
    expect(await jobRow(second)).toMatchObject({ comments_scraped: 9 });
  });

  it('removes only the work lists of jobs that have ended', async () => {
    const executions = [await startExecution(), await startExecution()];
    for (const { job } of executions)
      await database.query(
        `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, phrase_keys)
         VALUES ($1, $2, $3, 0, true, '')`,
        [workspaceId, job.id, aPost(1).id],
      );
    const workList = service.get(WorkListRepository);
    const [ended, other] = executions.map(({ job }) => job.id);
    await workList.complete(workspaceId, ended!, database.manager);
    expect(await workList.pendingTrees(workspaceId, ended!)).toEqual([]);
    expect(await workList.pendingTrees(workspaceId, other!)).toEqual([aPost(1).id]);
  });

  it('resets the count of attempts after comments and files, as after posts', async () => {
    const execution = await startExecution();
    const medium = { postId: aPost(1).id, url: 'https://media.test/1.png', audioUrls: [], fallbackUrl: null };
    await write(execution, batchOf([aPost(1)], { media: [medium] }));
    const attemptsAfter = async (store: () => Promise<void>): Promise<number> => {
      await database.query('UPDATE job_executions SET attempts = 3 WHERE job_id = $1', [execution.job.id]);
      await store();
      const [{ attempts }] = await database.query<[{ attempts: number }]>(
        'SELECT attempts FROM job_executions WHERE job_id = $1',
        [execution.job.id],
      );
      return attempts;
    };
    const tree = { postId: aPost(1).id, comments: 0, missing: 0, done: false };
    const comments = { comments: [], trees: [tree] };
    expect(await attemptsAfter(() => writer().writeComments(execution, comments))).toBe(0);
    expect(await attemptsAfter(() => writer().writeMedia(execution, medium, null))).toBe(0);
  });

  it('counts a download once', async () => {
    const execution = await startExecution();
    const medium = { postId: aPost(1).id, url: 'https://media.test/1.png', audioUrls: [], fallbackUrl: null };
    expect(await write(execution, batchOf([aPost(1)], { media: [medium, medium] }))).toEqual([medium]);
    const file = aFile(workspaceId, medium);
    await writer().writeMedia(execution, medium, file);
    expect(await jobRow(execution)).toMatchObject({ media_downloaded: 1, progress: { media: 1 } });
    await writer().writeMedia(execution, medium, file);
    await writer().writeMedia(execution, medium, null);
    expect(await jobRow(execution)).toMatchObject({ media_downloaded: 1, progress: { media: 1 } });
    expect(await write(execution, batchOf([aPost(1)], { media: [medium] }))).toEqual([]);
  });

  it('asks for the files of a post that was read later, unless it has lost them', async () => {
    const [kept, lost] = [1, 2].map((number) => ({
      ...aPost(number),
      mediaUrls: [`https://a.test/${number}`],
    }));
    const later = { scrapedAt: new Date(kept!.scrapedAt.getTime() + 1_000) };
    const media = [kept!, lost!].map(({ id, mediaUrls }) => ({
      ...{ postId: id, url: mediaUrls[0]!, audioUrls: [], fallbackUrl: null },
    }));
    const execution = await startExecution();
    await upsert([
      { ...kept!, ...later },
      { ...lost!, ...later, mediaUrls: [] },
    ]);
    expect(await write(execution, batchOf([kept!, lost!], { media }))).toEqual([media[0]]);
  });

  it('lists files to download until they are stored or skipped', async () => {
    const execution = await startExecution();
    const [stored, leftOut, pending] = [1, 2, 3].map((number) => ({
      postId: aPost(1).id,
      url: `https://media.test/${number}.png`,
      audioUrls: [],
      fallbackUrl: null,
    }));
    await write(execution, batchOf([aPost(1)], { media: [stored!, leftOut!, pending!] }));
    await writer().writeMedia(execution, stored!, aFile(workspaceId, stored!));
    await writer().writeMedia(execution, leftOut!, null);
    const workList = service.get(WorkListRepository);
    expect(await workList.pendingMedia(workspaceId, execution.job.id)).toEqual([pending]);
  });

  it('records only as many files stored at the same time as the quota has room for', async () => {
    await limitMedia(35);
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, number) => insertFile(number)));
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [String((result.reason as Error).message)] : [],
    );
    expect(refused).toEqual(Array(5).fill(expect.stringContaining('media_bytes exceeded: limit 35')));
    expect(await storedRows()).toBe(3);
    expect(await quota().remaining(workspaceId)).toBe(5);
    // A file that is already stored counts once.
    const stored = results.findIndex(({ status }) => status === 'fulfilled');
    await insertFile(stored);
    expect(await quota().remaining(workspaceId)).toBe(5);
  });

  it('records a file that fills the quota to its last byte', async () => {
    await limitMedia(10);
    await insertFile(1);
    expect(await storedRows()).toBe(1);
    await expect(quota().remaining(workspaceId)).rejects.toThrow('media_bytes exceeded');
  });

  it('records any number of files when the quota is 0, which means none', async () => {
    await limitMedia(0);
    await insertFile(1);
    expect(await storedRows()).toBe(1);
    expect(await quota().remaining(workspaceId)).toBe(Infinity);
  });

  it('accepts media addresses longer than an index entry', async () => {
    const execution = await startExecution();
    // Random bytes, because Postgres compresses index entries.
    const url = `https://media.test/${randomBytes(4_096).toString('hex')}.png`;
    const medium = { postId: aPost(1).id, url, audioUrls: [], fallbackUrl: null };
    await write(execution, batchOf([aPost(1)], { media: [medium] }));
    await writer().writeMedia(execution, medium, aFile(workspaceId, medium));
    const files = await service.get(MediaRepository).listOfPost(workspaceId, medium.postId);
    expect(files.map((file) => file.url)).toEqual([url]);
  });

  it('compiles alerts before the transaction begins', async () => {
    const execution = await startExecution();
    const prepare = jest.spyOn(service.get(AlertMatchingService), 'prepare');
    const compile = jest.spyOn(AlertMatcher, 'compile');
    // Only executions use these; the service may begin other transactions at any time.
    const transaction = jest.spyOn(service.get(RetryingTransactions), 'run');
    await write(execution, batchOf([aPost(1)]));
    expect(prepare).toHaveBeenCalledWith(workspaceId);
    expect(prepare.mock.invocationCallOrder[0]).toBeLessThan(transaction.mock.invocationCallOrder[0]!);
    expect(compile).toHaveBeenCalledTimes(1);
    expect(compile.mock.invocationCallOrder[0]).toBeLessThan(transaction.mock.invocationCallOrder[0]!);
    compile.mockRestore();
    transaction.mockRestore();
  });

  describe('when the execution may no longer write', () => {
    const medium = { postId: aPost(1).id, url: 'https://media.test/1.png', audioUrls: [], fallbackUrl: null };
    it.each([
      ['another worker took the job over', 'UPDATE job_executions SET lease_owner = $2 WHERE job_id = $1'],
      ['the job was cancelled', `UPDATE jobs SET status = 'cancelled' WHERE id = $1 AND $2 <> ''`],
      ['the execution is gone', `DELETE FROM job_executions WHERE job_id = $1 AND $2 <> ''`],
    ])('leaves nothing behind: %s', async (_, change) => {
      const execution = await startExecution();
      await write(execution, batchOf([aPost(1)], { media: [medium] }));
      const [rows, before] = [await storedRows(), await jobRow(execution)];
      await database.query(change, [execution.job.id, 'another']);
      const comment = { comments: [{ ...aComment(1), annotations: {} }], trees: [] };
      const attempts = [
        () => write(execution, batchOf([aPost(2)])),
        () => writer().writeComments(execution, comment),
        () => writer().writeMedia(execution, medium, aFile(workspaceId, medium)),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toBeInstanceOf(LeaseLost);
      expect(await storedRows()).toBe(rows);
      expect(await jobRow(execution)).toEqual({ ...before, status: expect.any(String) as string });
    });
  });
});

/** Text of words of CJK characters, three bytes each, with no two words equal. */
const differentWords = (length: number, combine: (word: (size: number) => string) => string): string => {
  let number = 0;
  const word = (size: number): string => {
    let [rest, characters] = [number++, ''];
    for (let at = 0; at < size; at += 1, rest = Math.floor(rest / 20_000))
      characters += String.fromCodePoint(0x4e00 + (rest % 20_000));
    return characters;
  };
  let text = '';
  while (text.length < length) text += `${combine(word)} `;
  return text.slice(0, length);
};

const aFile = (workspaceId: string, { postId, url }: PendingMedia): MediaFile => ({
  workspaceId,
  id: randomUUID(),
  postId,
  url,
  contentType: 'image/png',
  size: 10,
  sha256: 'f',
  path: 'f.png',
  createdAt: new Date(),
});
