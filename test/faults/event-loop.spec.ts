import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import { SegmentBuilder } from '../../src/search/segments/build/segment-builder.js';
import { searchValue } from '../../src/text/search-value.js';
import { OPERATION_CASES } from '../isolation/operation-cases.js';
import { call } from '../support/client.js';
import { connect } from '../support/database.js';
import { Contract, type ContractOperation } from '../support/contract.js';
import { computedMs, msPerMegabyte } from '../support/processor-time.js';
import { startTwoWorkspaces, type TwoWorkspaces } from '../support/two-workspaces.js';

const AUTHORS = 600_000;
const FORUMS = 20_000;
const FLAIRS = 5_000;
const LONG_TEXTS = 300;
/** A request may hold the event loop for as long as this machine writes and parses so many megabytes of JSON. */
const LONGEST_STOP = 15;
const MOST_MEMORY_MB = 200;
const TICK_MS = 2;
/** A request that costs too much is repeated, since garbage collection and other processes count too. */
const ATTEMPTS = 3;
const READ_TIMEOUT_MS = 60_000;
const ADMIN_TOKEN = 'token-of-the-operator-of-32-characters';
const ROWS_PER_STATEMENT = 20_000;
const TITLES = 500;
const LONG_REPEATS = 2_858;
const LONG_TEXT = `repeat('solar battery ', ${LONG_REPEATS})`;
const IS_LONG = `n >= ${AUTHORS - LONG_TEXTS}`;

/** The words of a post with a short text, by its title's number, of one with a long text, and of a comment. */
const SHORT_WORDS = Array.from({ length: TITLES }, (_, n) =>
  searchValue({ title: `Post ${n}`, text: 'solar' }),
);
const LONG_WORDS = searchValue({ title: 'Post', text: 'solar battery '.repeat(LONG_REPEATS) });
const COMMENT_WORDS = searchValue({ title: '', text: 'solar battery '.repeat(LONG_REPEATS) });

/** One post of each author; forums and flairs repeat. The newest have long texts, and they alone have "battery". */
const INSERT_POSTS = `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, score,
    upvote_ratio, num_comments, selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls,
    sentiment_score, sentiment_label, keywords, scraped_at, search)
  SELECT $1, 't3_' || n, 'Forum' || n % ${FORUMS}, CASE WHEN ${IS_LONG} THEN 'Post' ELSE 'Post ' || n % ${TITLES} END, 'author' || n,
    timestamptz '2026-01-01' + n * interval '12 seconds', '/', n % 100, 0.5, n % 9,
    CASE WHEN ${IS_LONG} THEN ${LONG_TEXT} ELSE 'solar' END, 'self', false, false,
    'flair' || n % ${FLAIRS}, 0, false, '{}', (n % 21 - 10) / 10.0, 'neutral', ARRAY['word' || n % 3000], now(),
    CASE WHEN ${IS_LONG} THEN $5 ELSE ($4::text[])[1 + n % ${TITLES}] END::tsvector
  FROM generate_series($2::int, $3::int) AS n`;
const INSERT_COMMENTS = `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, forum, parent_id,
    author, body, score, created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at, search)
  SELECT $1, n, 't1_' || n, 't3_1', '/', 'Forum' || n, 't3_1', 'author' || n, ${LONG_TEXT}, 1,
    timestamptz '2026-10-01' + n * interval '12 seconds', 0, false, 0, 'neutral', now(), $2::tsvector
  FROM generate_series(1, ${LONG_TEXTS}) AS n`;

/** Everything that a request by id shows has a long text too. */
const LENGTHEN = [
  `UPDATE posts SET selftext = ${LONG_TEXT} WHERE workspace_id = $1`,
  `UPDATE comments SET body = ${LONG_TEXT} WHERE workspace_id = $1`,
];
/** The jobs have stored, and the alerts have matched, the posts with long texts. */
const LONG_POSTS = `SELECT id FROM posts WHERE workspace_id = $1 AND id LIKE 't3\\_%' AND length(selftext) > 40000`;
const CONNECT_LONG_POSTS = [
  `UPDATE job_stored_posts SET post_ids = post_ids || ARRAY(${LONG_POSTS}) WHERE workspace_id = $1`,
  `INSERT INTO alert_matches (workspace_id, alert_id, post_id, job_id, keywords)
   SELECT $1, alerts.id, posts.id, jobs.id, ARRAY['solar'] FROM alerts, jobs, (${LONG_POSTS}) AS posts
   WHERE alerts.workspace_id = $1 AND jobs.workspace_id = $1 ON CONFLICT DO NOTHING`,
];

/** Parameters that make a request dear, where an operation has them. */
const DEAR = { q: 'battery', highlight: 'true', view: 'full' };
const FACETS = 'forum,author,post_type,sentiment,flair,keyword';
/** Requests with other filters and orders that cost much. */
const PATHS = [
  '/posts?q=-solar&sort_by=relevance',
  '/posts?min_score=50&sort_by=score',
  '/posts?sort_by=upvote_ratio&q=post',
  '/comments?post_id=t3_1&sort_by=thread&limit=100',
  `/analytics/facets?by=${FACETS}&limit=1000`,
  `/analytics/facets?by=${FACETS}&q=solar`,
  '/analytics/facets?of=comments&by=forum,author,sentiment',
  ...['hour', 'day', 'week', 'month'].flatMap((interval) => [
    `/analytics/timeseries?interval=${interval}&split_by=forum&created_after=2026-01-01T00:00:00Z&created_before=2026-03-20T00:00:00Z`,
    `/analytics/timeseries?interval=${interval}&split_by=sentiment&q=solar&created_after=2026-02-01T00:00:00Z`,
  ]),
  '/analytics/spikes?of=comments&interval=day',
  '/exports/posts?format=ndjson&q=battery&sort_by=relevance',
  '/exports/comments?format=csv',
];

interface Cost {
  /** The longest time between two ticks in which the event loop computed, in megabytes of JSON. */
  stop: number;
  /** Growth of memory. */
  memoryMb: number;
}

describe('requests over many forums, authors and flairs, and long texts', () => {
  let both: TwoWorkspaces;
  /** Addresses of requests, by their names in failures. */
  const addresses: Record<string, string> = {};

  beforeAll(async () => {
    both = await startTwoWorkspaces({
      SEARCH_TIMEOUT_MS: '60000',
      EXPORT_STALL_TIMEOUT_MS: '60000',
      ADMIN_TOKEN,
    });
    const { workspaceId } = both.a;
    const client = await connect(both.service.environment.DATABASE_URL!);
    for (const sql of LENGTHEN) await client.query(sql, [workspaceId]);
    for (let first = 0; first < AUTHORS; first += ROWS_PER_STATEMENT)
      await client.query(INSERT_POSTS, [
        workspaceId,
        first,
        first + ROWS_PER_STATEMENT - 1,
        SHORT_WORDS,
        LONG_WORDS,
      ]);
    await client.query(INSERT_COMMENTS, [workspaceId, COMMENT_WORDS]);
    for (const sql of CONNECT_LONG_POSTS) await client.query(sql, [workspaceId]);
    const builder = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(both.dataSource));
    while ((await builder.build({ workspaceId, kind: 'posts' })).hasMore);
    await client.query('ANALYZE');
    await client.end();
    const { document, operations } = Contract.of(both.service);
    const { atom_url: feed } = await call<{ atom_url: string }>(
      both.service,
      both.a,
      'POST',
      `/searches/${both.a.searchId}/feed`,
    );
    const token = /([^/]+)\.atom$/.exec(feed)![1]!;
    for (const one of operations.filter(({ method }) => method === 'get'))
      addresses[one.operation.operationId!] = addressOf(one, document, token);
    for (const path of PATHS) addresses[path] = both.a.path(path);
  }, 900_000);

  /** The dearest request of an operation, by the parameters that it has. */
  function addressOf({ path, operation }: ContractOperation, document: OpenAPIObject, token: string): string {
    const { a } = both;
    const ids: Record<string, string> = {
      workspace_id: a.workspaceId,
      token,
      ...OPERATION_CASES[operation.operationId!]?.own.ids?.(a),
    };
    const url = new URL(
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!),
      both.service.url,
    );
    for (const parameter of operation.parameters ?? []) {
      const { name, schema } = parametersOf(parameter, document);
      if (name === 'limit') url.searchParams.set(name, String(schema?.maximum));
      else if (name in DEAR) url.searchParams.set(name, DEAR[name as keyof typeof DEAR]);
    }
    return url.pathname + url.search;
  }

  const read = async (address: string): Promise<void> => {
    const isAdmin = address.startsWith('/api/v1/admin');
    const response = await fetch(both.service.url + address, {
      headers: isAdmin
        ? { Authorization: `Bearer ${ADMIN_TOKEN}` }
        : address.includes('/me/')
          ? { Cookie: both.a.memberCookie }
          : { 'X-API-Key': both.a.apiKey },
      redirect: 'manual',
      signal: AbortSignal.timeout(READ_TIMEOUT_MS),
    });
    if (response.headers.get('content-type')?.startsWith('text/event-stream'))
      await readFirst(response.body!);
    else await response.body?.pipeTo(new WritableStream());
    const isOfWorkspace = address.includes(both.a.workspaceId) && !isAdmin;
    if (isOfWorkspace ? response.status !== 200 : response.status >= 500)
      throw new Error(`${response.status} ${address}`);
  };

  async function costOf(address: string): Promise<Cost> {
    const unit = msPerMegabyte();
    const before = process.memoryUsage().rss;
    let [stopMs, memory, isReading] = [0, 0, true];
    const watching = (async () => {
      let computed = computedMs();
      while (isReading) {
        await sleep(TICK_MS);
        const now = computedMs();
        stopMs = Math.max(stopMs, now - computed);
        computed = now;
        memory = Math.max(memory, process.memoryUsage().rss - before);
      }
    })();
    await read(address);
    isReading = false;
    await watching;
    return { stop: Math.round(stopMs / unit), memoryMb: Math.round(memory / 1_048_576) };
  }

  const isDear = ({ stop, memoryMb }: Cost): boolean => stop > LONGEST_STOP || memoryMb > MOST_MEMORY_MB;

  async function leastCostOf(address: string): Promise<Cost> {
    const costs = { stop: Infinity, memoryMb: Infinity };
    for (let attempt = 0; attempt < ATTEMPTS && isDear(costs); attempt += 1) {
      const { stop, memoryMb } = await costOf(address);
      costs.stop = Math.min(costs.stop, stop);
      costs.memoryMb = Math.min(costs.memoryMb, memoryMb);
    }
    return costs;
  }

  it('hold the event loop as long as 15 MB of JSON at most, and take at most 200 MB', async () => {
    const tooDear: Record<string, Cost> = {};
    for (const [name, address] of Object.entries(addresses)) {
      // Code is compiled, and blocks are read, before anything is measured.
      await read(address);
      const cost = await leastCostOf(address);
      if (isDear(cost)) tooDear[name] = cost;
    }
    expect(tooDear).toEqual({});
  }, 600_000);

  it('find the posts with long texts, and all others, by their words', async () => {
    const found = async (q: string): Promise<number> =>
      (await call<{ total: number }>(both.service, both.a, 'GET', `/posts?q=${q}`)).total;
    expect(await found('battery')).toBe(LONG_TEXTS);
    expect(await found('solar')).toBe(AUTHORS);
  });

  it('are measured for every operation that reads', () => {
    expect(Object.keys(addresses).length).toBeGreaterThan(80);
    expect(Object.values(addresses).filter((address) => address.includes('undefined'))).toEqual([]);
  });
});

/** Reads the first event of a stream, which need not end. */
async function readFirst(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  await reader.read();
  await reader.cancel();
}

/** A parameter of an operation, which may be a reference to one of the document's. */
function parametersOf(
  parameter: object,
  document: OpenAPIObject,
): { name: string; schema?: { maximum?: number } } {
  const name = /[^/]+$/.exec((parameter as { $ref?: string }).$ref ?? '')?.[0];
  return (name === undefined ? parameter : document.components!.parameters![name]) as { name: string };
}
