import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { COMMENT_SEARCH } from '../../src/modules/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/modules/posts/post-filter.js';
import { SegmentBuilder } from '../../src/modules/search/segments/build/segment-builder.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { connect } from '../support/database.js';

const AUTHORS = 600_000;
const FORUMS = 20_000;
const FLAIRS = 5_000;
const LONG_TEXTS = 300;
const LONGEST_STOP_MS = 50;
const MOST_MEMORY_MB = 200;
const TICK_MS = 2;
const ROWS_PER_STATEMENT = 50_000;

/** One post of each author; forums and flairs repeat. */
const INSERT_POSTS = `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, score,
    upvote_ratio, num_comments, selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls,
    sentiment_score, sentiment_label, keywords, scraped_at)
  SELECT $1, 't3_' || n, 'Forum' || n % ${FORUMS}, 'Post ' || n % 500, 'author' || n,
    timestamptz '2026-01-01' + n * interval '12 seconds', '/', n % 100, 0.5, n % 9,
    CASE WHEN n < ${LONG_TEXTS} THEN repeat('solar battery ', 2858) ELSE 'solar' END, 'self', false, false,
    'flair' || n % ${FLAIRS}, 0, false, '{}', (n % 21 - 10) / 10.0, 'neutral', ARRAY['word' || n % 3000], now()
  FROM generate_series($2::int, $3::int) AS n`;
const INSERT_COMMENTS = `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, forum, parent_id,
    author, body, score, created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at)
  SELECT $1, n, 't1_' || n, 't3_1', '/', 'Forum' || n, 't3_1', 'author' || n, repeat('solar battery ', 2858), 1,
    timestamptz '2026-01-01' + n * interval '12 seconds', 0, false, 0, 'neutral', now()
  FROM generate_series(1, ${LONG_TEXTS}) AS n`;

const FACETS = 'forum,author,post_type,sentiment,flair,keyword';
/** A request of every read operation over posts and comments, with the filters and orders that cost the most. */
const PATHS = [
  '/posts?limit=100',
  '/posts?q=solar&limit=100&highlight=true',
  '/posts?q=solar&sort_by=relevance&limit=100&highlight=true',
  '/posts?q=-solar&sort_by=relevance',
  '/posts?min_score=50&sort_by=score',
  '/posts?sort_by=upvote_ratio&q=post',
  '/posts/forums/list',
  '/posts/t3_1',
  '/posts/t3_1/history',
  '/posts/t3_1/annotations',
  '/comments?limit=100',
  '/comments?q=battery&limit=100&highlight=true',
  '/comments?post_id=t3_1&sort_by=thread&limit=100',
  '/comments/t1_1',
  `/analytics/facets?by=${FACETS}&limit=1000`,
  `/analytics/facets?by=${FACETS}&q=solar`,
  '/analytics/facets?of=comments&by=forum,author,sentiment',
  ...['hour', 'day', 'week', 'month'].flatMap((interval) => [
    `/analytics/timeseries?interval=${interval}&split_by=forum&created_after=2026-01-01T00:00:00Z&created_before=2026-03-20T00:00:00Z`,
    `/analytics/timeseries?interval=${interval}&split_by=sentiment&q=solar&created_after=2026-02-01T00:00:00Z`,
  ]),
  '/analytics/keywords?limit=1000',
  '/analytics/spikes?of=posts&q=solar',
  '/analytics/spikes?of=comments&interval=day',
  '/exports/posts?format=ndjson&q=solar&sort_by=relevance',
  '/exports/comments?format=csv',
];

describe('requests over many forums, authors and flairs, and long texts', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: pg.Client;

  beforeAll(async () => {
    service = await startTestApplication({ SEARCH_TIMEOUT_MS: '60000', EXPORT_STALL_TIMEOUT_MS: '60000' });
    workspace = await service.createWorkspace();
    client = await connect(service.environment.DATABASE_URL!);
    const { workspaceId } = workspace;
    for (let first = 0; first < AUTHORS; first += ROWS_PER_STATEMENT)
      await client.query(INSERT_POSTS, [workspaceId, first, first + ROWS_PER_STATEMENT - 1]);
    await client.query(INSERT_COMMENTS, [workspaceId]);
    const builder = new SegmentBuilder(
      [POST_SEARCH, COMMENT_SEARCH],
      new TransactionRunner(service.app.get(DataSource)),
    );
    while ((await builder.build({ workspaceId, kind: 'posts' })).hasMore);
    await client.query('ANALYZE');
  }, 900_000);
  afterAll(async () => {
    await client.end();
    await service.close();
  });

  const read = async (path: string): Promise<void> => {
    const response = await fetch(service.url + workspace.path(path), {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    await response.body!.pipeTo(new WritableStream());
    if (response.status !== 200) throw new Error(`${response.status} ${path}`);
  };

  /**
   * The longest time between two ticks in which the process computed, in ms, and the growth of memory in MB. Processor
   * time is measured, because other processes may use the machine.
   */
  async function costOf(path: string): Promise<{ stopMs: number; memoryMb: number }> {
    const before = process.memoryUsage().rss;
    let [stopMs, memory, isReading] = [0, 0, true];
    const watching = (async () => {
      let cpu = process.cpuUsage();
      while (isReading) {
        await sleep(TICK_MS);
        const used = process.cpuUsage(cpu);
        cpu = process.cpuUsage();
        stopMs = Math.max(stopMs, (used.user + used.system) / 1_000);
        memory = Math.max(memory, process.memoryUsage().rss - before);
      }
    })();
    await read(path);
    isReading = false;
    await watching;
    return { stopMs: Math.round(stopMs), memoryMb: Math.round(memory / 1_048_576) };
  }

  it('hold the event loop for at most 50 ms and take at most 200 MB', async () => {
    // Code is compiled, and blocks are read, before anything is measured.
    for (const path of PATHS) await read(path);
    const costs: Record<string, { stopMs: number; memoryMb: number }> = {};
    for (const path of PATHS) costs[path] = await costOf(path);
    const tooDear = Object.entries(costs).filter(
      ([, { stopMs, memoryMb }]) => stopMs > LONGEST_STOP_MS || memoryMb > MOST_MEMORY_MB,
    );
    expect(Object.fromEntries(tooDear)).toEqual({});
  }, 600_000);
});
