import { randomUUID } from 'node:crypto';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../src/content/comments/comments.repository.js';
import type { DatasetDto, DatasetPartDto } from '../../src/takeout/datasets/dto/dataset.dto.js';
import type { ErasureDto } from '../../src/privacy/erasures/dto/erasure.dto.js';
import { DumpImportService } from '../../src/collect/imports/dump-import.service.js';
import { MediaRepository } from '../../src/content/media/media.repository.js';
import { MediaStore } from '../../src/content/media/media-store.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aComment } from '../factories/comments.js';
import { JobLogRepository, type NewLogEntry } from '../../src/collect/scraping/log/job-log.repository.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { queryParquet } from '../support/duckdb.js';
import { emptyTables, redisEntries, tablesWith } from '../support/marked-places.js';
import { HttpReceiver } from '../support/receivers.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const JOB = '00000000-0000-4000-8000-000000000009';
/** Occurs in everything of the account, and nowhere else. */
const MARK = 'zqxerasable';
const AUTHOR = `Zq_${MARK}`;

/** Tables that need no rows here: they hold no texts or names, or `erased-traces.spec.ts` fills them. */
const NEED_NO_ROWS = [
  'admin_sessions',
  'alert_subscriptions',
  'audit_chain',
  'comment_count_deltas',
  'content_rechecks',
  'dump_imports',
  'encryption_keys',
  'erased_hashes',
  'erasures',
  'heard_texts',
  'job_executions',
  'job_media',
  'job_posts',
  'job_turns',
  'job_workers',
  'keyword_frequencies',
  'listened_days',
  'listeners',
  'media_usage',
  'notification_addresses',
  'operator_accounts',
  'reading_days',
  'schedule_runs',
  'search_changes',
  'sessions',
  'stream_cursors',
  'stream_deletions',
  'stream_gaps',
  'stream_posts',
  'stream_topics',
  'suppressed_hashes',
  'suppressions',
  'workspace_keys',
];

const POST = aPost(1, {
  author: AUTHOR,
  title: `About ${MARK}`,
  selftext: `Text ${MARK}`,
  url: `https://example.com/${MARK}`,
  permalink: `/r/technology/comments/000001/about_${MARK}/`,
  keywords: [MARK],
  forum: `u_${AUTHOR}`,
});
const REPLY = aComment(1, { postId: POST.id, postPermalink: POST.permalink });
const OTHER = aPost(2, { title: 'Of somebody else' });
const COMMENT = aComment(2, { postId: OTHER.id, author: AUTHOR.toUpperCase(), body: `Said ${MARK}` });
const KEPT = aComment(3, { postId: OTHER.id, parentId: COMMENT.commentId });

describe('the erasure of an account', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let receiver: HttpReceiver;
  let folder: string;
  let erasure: ErasureDto;
  let feed: string;

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    folder = await temporaryFolder();
    service = await startTestApplication({
      ROLES: 'api,worker,scheduler',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    workspace = await service.createWorkspace();
    await fill();
  });

  const run = <T>(sql: string, ...given: unknown[]): Promise<T[]> =>
    service.app.get(DataSource).query<T[]>(sql, given);
  const send = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    call<T>(service, workspace, method, path, body);

  /** Stores rows as a scrape does; returns the number of new posts and comments. */
  const store = (posts: (typeof POST)[], comments: (typeof REPLY)[]): Promise<number> =>
    service.get(TransactionRunner).run(async (tx) => {
      const { workspaceId } = workspace;
      const { newIds: newPosts } = await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      const newComments = await service.get(CommentsRepository).upsert(workspaceId, comments, tx);
      const stored = {
        posts: posts.filter(({ id }) => newPosts.has(id)),
        comments: comments.filter(({ id }) => newComments.has(id)),
      };
      await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, stored, null, tx);
      return newPosts.size + newComments.size;
    });

  const tablesWithMark = (): Promise<string[]> => tablesWith(run, MARK);
  const redisWithMark = async (): Promise<string[]> =>
    (await redisEntries(service.environment.REDIS_URL!)).filter((entry) =>
      entry.toLowerCase().includes(MARK),
    );

  async function filesWithMark(): Promise<string[]> {
    const media = join(service.environment.DATA_DIR, 'media');
    const files = (await readdir(media, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    const found = await Promise.all(
      files.map(async ({ parentPath, name }) =>
        (await readFile(join(parentPath, name), 'latin1')).toLowerCase().includes(MARK) ? [name] : [],
      ),
    );
    return found.flat();
  }

  /** Uses every feature that keeps something of posts and comments. */
  async function fill(): Promise<void> {
    const { workspaceId } = workspace;
    const fillers = Array.from({ length: 1_100 }, (_, number) => aPost(number + 100));
    await storePosts(service, workspaceId, fillers);
    await send('POST', '/webhooks', { url: receiver.url, events: ['alert.triggered'] });
    await send('POST', '/alerts', {
      name: 'Alert',
      query: 'text OR said OR chargers',
      of: 'all',
      channel: 'chat_a',
      channel_config: { webhook_url: receiver.url },
    });
    await store([POST, OTHER], [REPLY, COMMENT, KEPT]);
    await store([{ ...POST, score: POST.score + 5 }], []);
    const { matches } = await send<{ matches: { id: string; post?: { id: string } }[] }>('GET', '/matches');
    const match = matches.find(({ post }) => post?.id === POST.id)!;
    await requestAs(service, workspace, 'PATCH', `/matches/${match.id}`).send({ note: `Ask ${AUTHOR}` });
    await until(async () => (await run(`SELECT FROM deliveries WHERE status = 'delivered'`)).length === 2);
    await run(
      `INSERT INTO job_stored_posts (workspace_id, job_id, post_ids) VALUES ($1, $2, $3)`,
      workspaceId,
      JOB,
      ['t3_first', POST.id, 't3_last'],
    );
    await send('POST', '/labels', {
      labeller: 'coder_1',
      csv: `id,label\n${POST.id},${MARK}\n${COMMENT.commentId},${MARK}\n${OTHER.id},good`,
    });
    const search = await send<{ id: string }>('POST', '/searches', { name: 'Text', q: 'text' });
    const { json_url: address } = await send<{ json_url: string }>('POST', `/searches/${search.id}/feed`);
    feed = new URL(address).pathname.replace(/json$/, '');
    expect(await readFeed('json')).toContain(MARK);
    for (const found of [
      { spike: { keywords: [MARK], posts: [{ id: POST.id, title: POST.title, author: AUTHOR }] } },
      { story: { title: POST.title, keywords: [MARK], posts: [POST.id] } },
      { story: { title: POST.title, keywords: [MARK], posts: [] }, posts: [{ id: 't3_9', author: AUTHOR }] },
    ])
      await run(
        `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relayed_at)
         SELECT $1, gen_random_uuid(), 'alert.triggered', gen_random_uuid(), 'alert', id, $2, now() FROM alerts LIMIT 1`,
        workspaceId,
        JSON.stringify(found),
      );
    await run(
      `INSERT INTO alert_relevance (workspace_id, alert_id, model, learned_at)
       SELECT workspace_id, id, convert_to($1, 'UTF8'), now() FROM alerts LIMIT 1`,
      MARK,
    );
    await run(
      `INSERT INTO story_records (workspace_id, scope, record_id, story_id) VALUES ($1, 1, $2, $3)`,
      workspaceId,
      POST.id,
      JOB,
    );
    await send('POST', '/reports', {
      name: `About ${AUTHOR}`,
      searches: [search.id],
      channel_config: { to: 'a@example.com' },
    });
    await send('POST', '/recurring-exports', {
      ...{ name: 'Of an account', of: 'posts', format: 'csv', filters: { author: AUTHOR } },
    });
    await send('POST', '/trends/pins', {
      ...{ queries: [`author:${AUTHOR}`], of: 'posts', period: '7', interval: 'day', measure: 'count' },
    });
    for (const [name, of, filters] of [
      ['All posts', 'posts', {}],
      ['All comments', 'comments', {}],
      [`Of ${AUTHOR}`, 'posts', { author: AUTHOR }],
    ] as const)
      await send('POST', '/datasets', { name, of, filters });
    await until(async () => (await run(`SELECT FROM datasets WHERE status = 'completed'`)).length === 3);
    await addMedia();
    await requestAs(service, workspace, 'POST', '/schedules')
      .set('Idempotency-Key', 'a')
      .send({ target: AUTHOR, target_type: 'user', cron_expression: '0 5 1 1 *' })
      .expect(201);
    await run(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         status, completed_at, error_message)
       VALUES ($1, $2, $3, 'user', 'full', 1, false, false, 'failed', now(), $3)`,
      workspaceId,
      JOB,
      AUTHOR,
    );
    await run(
      `INSERT INTO job_log VALUES ($1, $2, 1, now(), 'info', 'a', $3)`,
      workspaceId,
      JOB,
      `Listing of ${AUTHOR}`,
    );
    // The log of a job on a forum, about a post of the account.
    await run(
      `INSERT INTO job_log VALUES ($1, gen_random_uuid(), 1, now(), 'warn', 'comments_not_read', $2, $3)`,
      workspaceId,
      `No answer for ${MARK}`,
      JSON.stringify({ post_id: POST.id }),
    );
    await run(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relayed_at)
       VALUES ($1, gen_random_uuid(), 'job.failed', 'a', 'job', $2, $3, now())`,
      workspaceId,
      JOB,
      JSON.stringify({ target: AUTHOR }),
    );
    for (const [of, filters] of [
      ['posts', { author: AUTHOR }],
      ['comments', {}],
    ] as const)
      await send('POST', '/exports', { of, format: 'ndjson', filters });
    await until(async () => (await run(`SELECT FROM exports WHERE status = 'completed'`)).length === 2);
    // The rows of the filler are enough for a segment, those after it are not.
    await run(`UPDATE search_changes SET changed_at = now() - interval '13 hours'`);
    await until(async () => (await tablesWithMark()).includes('search_blocks'));
  }

  async function addMedia(): Promise<void> {
    const { workspaceId } = workspace;
    const file = join(folder, 'picture');
    await writeFile(file, `A picture of ${MARK}`);
    await service.app.get(MediaStore, { strict: false }).keep(file, `${workspaceId}/picture`, 'image/png');
    await service.get(TransactionRunner).run((tx) =>
      service.get(MediaRepository).insert(
        workspaceId,
        {
          workspaceId,
          id: JOB,
          postId: POST.id,
          url: `https://example.com/${MARK}.png`,
          contentType: 'image/png',
          size: 24,
          sha256: 'x',
          path: `${workspaceId}/picture`,
          createdAt: new Date(),
        },
        tx,
      ),
    );
  }

  /** Each form is kept for a minute. */
  const readFeed = async (form: 'json' | 'rss'): Promise<string> => {
    const response = await fetch(`${service.url}${feed}${form}`);
    expect(response.status).toBe(200);
    return response.text();
  };

  const completed = (id: string): Promise<ErasureDto> =>
    until(
      () => send<ErasureDto>('GET', `/erasures/${id}`),
      ({ status }) => status === 'completed',
    );

  it('begins with rows in every table that could keep something of it', async () => {
    expect((await emptyTables(run)).filter((name) => !NEED_NO_ROWS.includes(name))).toEqual([]);
  });

  it('removes every byte of its texts, name and files', async () => {
    expect(await tablesWithMark()).toEqual([
      'alert_matches',
      'alert_relevance',
      'audit_entries',
      'comments',
      'datasets',
      'exports',
      'job_log',
      'jobs',
      'labels',
      'media_files',
      'outbox_events',
      'pinned_trends',
      'post_count_deltas',
      'posts',
      'recurring_exports',
      'reports',
      'schedules',
      'search_blocks',
    ]);
    expect((await filesWithMark()).length).toBe(6);
    const requested = await requestAs(service, workspace, 'POST', '/erasures')
      .send({ source: 'reddit', author: `u/${AUTHOR.toLowerCase()}`, reason: 'Asked by mail' })
      .expect(202);
    erasure = await completed((requested.body as ErasureDto).id);
    expect(erasure.removed).toEqual({
      posts: 1,
      comments: 2,
      media: 1,
      matches: 3,
      events: 7,
      exports: 2,
      jobs: 1,
      schedules: 1,
      responses: 1,
      dataset_rows: 4,
    });
    expect(await tablesWithMark()).toEqual([]);
    expect(await filesWithMark()).toEqual([]);
    expect(await redisWithMark()).toEqual([]);
  });

  it('removes its ids from jobs, labels, feeds and keys of events', async () => {
    expect(await run('SELECT post_ids FROM job_stored_posts')).toEqual([
      { post_ids: ['t3_first', 't3_last'] },
    ]);
    expect(await run('SELECT record_id FROM labels')).toEqual([{ record_id: OTHER.id }]);
    expect(await readFeed('rss')).not.toContain(MARK);
    expect(await run('SELECT FROM erased_hashes')).toEqual([]);
    expect(await tablesWith(run, POST.id)).toEqual([]);
  });

  it('is not undone by entries that were waiting for the log of a job', async () => {
    const { workspaceId } = workspace;
    const id = randomUUID();
    await run(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         status, completed_at)
       VALUES ($1, $2, 'technology', 'forum', 'full', 1, false, false, 'completed', now())`,
      workspaceId,
      id,
    );
    const entry = (message: string, details: object) =>
      ({ at: new Date(), level: 'warn', event: 'comments_missing', message, details }) as NewLogEntry;
    await service
      .get(JobLogRepository)
      .append(workspaceId, id, [
        entry('of it', { post_id: POST.id }),
        entry('of another', { post_id: OTHER.id }),
        entry('of none', {}),
      ]);
    const messages = await run('SELECT message FROM job_log WHERE job_id = $1 ORDER BY seq', id);
    expect(messages).toEqual([{ message: 'of another' }, { message: 'of none' }]);
  });

  it('keeps what others said elsewhere', async () => {
    expect((await send<{ total: number }>('GET', '/posts')).total).toBe(1_101);
    const { comments } = await send<{ comments: { comment_id: string }[] }>('GET', '/comments');
    expect(comments.map((comment) => comment.comment_id)).toEqual([KEPT.commentId]);
  });

  it('removes its rows from datasets, and only these', async () => {
    const { datasets } = await send<{ datasets: DatasetDto[] }>('GET', '/datasets');
    expect(datasets.map(({ name, rows, erased_rows }) => [name, rows, erased_rows])).toEqual([
      ['[deleted]', 0, 1],
      ['All comments', 1, 2],
      ['All posts', 1_101, 1],
    ]);
    const [{ path, sha256 }] = datasets[2]!.parts as [DatasetPartDto];
    const file = await requestAs(service, workspace, 'GET', path.replace(/^.*?\/datasets/, '/datasets'))
      .buffer()
      .parse(
        (response, done) => void buffer(response as unknown as Readable).then((bytes) => done(null, bytes)),
      )
      .expect(200);
    expect(
      createHash('sha256')
        .update(file.body as Buffer)
        .digest('hex'),
    ).toBe(sha256);
    const found = await queryParquet([file.body as Buffer], 'SELECT count(*) AS rows FROM files');
    expect(found).toEqual([{ rows: '1101' }]);
  });

  it('marks the exports whose files it removed', async () => {
    const { exports } = await send<{ exports: object[] }>('GET', '/exports');
    for (const one of exports)
      expect(one).toMatchObject({
        status: 'failed',
        parts: [],
        error_message: expect.stringContaining('erasure') as string,
      });
  });

  it('is not undone by a scrape or an import, also without the name of the account', async () => {
    expect(await store([POST, { ...POST, author: '[deleted]' }], [REPLY, COMMENT])).toBe(0);
    expect(await store([], [{ ...COMMENT, author: '[deleted]' }])).toBe(0);
    expect(await store([aPost(900_000, { author: AUTHOR })], [])).toBe(0);
    const file = join(folder, 'RS.ndjson');
    const row = {
      id: '000001',
      subreddit: 'a',
      title: MARK,
      author: AUTHOR,
      selftext: MARK,
      created_utc: 1_700_000_000,
      permalink: '/r/a/',
      score: 1,
      num_comments: 0,
    };
    await writeFile(file, `${JSON.stringify(row)}\n`);
    const progress = await service
      .get(DumpImportService)
      .run(
        workspace.workspaceId,
        file,
        { forums: [], authors: [], analyze: false, alerts: false },
        () => undefined,
        new AbortController().signal,
      );
    expect(progress).toMatchObject({ posts: 0, lines: 1 });
    expect(await tablesWithMark()).toEqual([]);
  });

  it('refuses later records for good, with the replies of others to them', async () => {
    const [later, said] = [
      aPost(900_001, { author: AUTHOR }),
      aComment(900_001, { author: AUTHOR, postId: OTHER.id }),
    ];
    const reply = aComment(900_002, { postId: later.id });
    expect(await store([later], [reply, said])).toBe(0);
    // Platforms show the texts of deleted accounts without their name.
    expect(await store([{ ...later, author: '[deleted]' }], [{ ...said, author: '[deleted]' }])).toBe(0);
  });

  it('is applied again to a restored backup by its hashes', async () => {
    const { workspaceId } = workspace;
    await run('ALTER TABLE suppressed_hashes RENAME TO hidden');
    await run('CREATE TABLE suppressed_hashes (LIKE hidden)');
    await store([POST], [REPLY, COMMENT]);
    await run('DROP TABLE suppressed_hashes');
    await run('ALTER TABLE hidden RENAME TO suppressed_hashes');
    await run(
      `UPDATE erasures SET phase = 'begin', completed_at = NULL, sealed_subject = NULL WHERE workspace_id = $1`,
      workspaceId,
    );
    expect(await tablesWithMark()).toContain('posts');
    await completed(erasure.id);
    expect(await tablesWithMark()).toEqual([]);
  });

  it('can be followed by a new permission', async () => {
    await send('DELETE', `/suppressions/${erasure.suppression_id!}`);
    expect(await store([POST], [COMMENT])).toBe(2);
    const { id } = await send<ErasureDto>('DELETE', `/posts/${POST.id}`);
    expect(await completed(id)).toMatchObject({ kind: 'post', removed: { posts: 1 } });
    await requestAs(service, workspace, 'DELETE', `/posts/${POST.id}`).expect(404);
    expect(await store([POST], [REPLY])).toBe(0);
  });
});

describe('a request to erase', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
  });

  it.each([
    [{}, 'author'],
    [{ author: 'a', post_id: 't3_a' }, 'author'],
    [{ author: '[deleted]' }, 'author'],
    [{ author: 'somebody', source: 'nowhere' }, 'source'],
    [{ post_id: 'zzz' }, 'post_id'],
    [{ post_id: 't3_a', source: 'hackernews' }, 'source'],
    [{ author: 'somebody', reason: 'Mail of Somebody' }, 'reason'],
  ])('%j is refused', async (body, field) => {
    const { body: problem } = await requestAs(service, workspace, 'POST', '/erasures').send(body).expect(400);
    expect(problem).toMatchObject({ errors: [{ field }] });
  });
});
