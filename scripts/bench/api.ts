import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { parseId } from '../../src/common/ids.js';
import { POST_FIELDS } from '../../src/content/posts/dto/post.dto.js';
import { type BenchApi, startBenchApi } from './support/api.js';
import type { BareRoute } from './support/bare-express.js';
import { Worker } from './support/chaos.js';
import { startPlatform } from './support/platform.js';
import { queriesOf } from './support/query-mix.js';
import { CONNECTIONS, requestRate, selectNewestPosts, statementRate } from './support/rates.js';
import { query } from './support/rows.js';
import { waitForSegments } from './support/segments.js';
import { benchServers } from './support/servers.js';
import { run as seed } from './seed.js';

const SECONDS = 6;
const ROUNDS = 3;
/** Milliseconds between the starts of two queries, whether or not the previous one has been answered. */
const INTERVAL_MS = 500;
const FORKED = import.meta.dirname;
/** Enough for a worker to be busy during all queries. */
const SCRAPED_FORUMS = 60;
/** Status of a search that exceeds `SEARCH_TIMEOUT_MS`. */
const SEARCH_STOPPED = 503;
/** Sizes of the segments and of the texts that they index, in megabytes. */
const SIZES = `SELECT (pg_total_relation_size('search_blocks') / 1048576)::int AS index_mb,
  (((SELECT sum(octet_length(title) + octet_length(selftext)) FROM posts)
    + (SELECT coalesce(sum(octet_length(body)), 0) FROM comments))/ 1048576)::int AS text_mb,
  (SELECT count(*)::int FROM search_segments) AS segments`;

interface Latency {
  p50: number;
  p95: number;
  max: number;
}

/**
 * Latencies of a mix of queries over HTTP at a constant rate: each for the first time after a change of rows and
 * repeated, without other load and while a worker scrapes into the same workspace at full speed. Also the requests a
 * second for a page and for a post, compared with a bare Express handler that runs the same statement, and with the
 * statement alone. Another workspace has as many posts. Arguments: `[--posts N] [--comments M]`.
 */
export async function run(args: string[] = []): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      posts: { type: 'string', default: '50000' },
      comments: { type: 'string', default: '150000' },
    },
  });
  const api = await startBenchApi(0, { beside: 'scheduler' });
  try {
    const seeded = (workspaceId: string, posts: string, comments: string) =>
      seed(['--workspace', workspaceId, '--into', api.databaseUrl, '--posts', posts, '--comments', comments]);
    const other = await api.workspaceCommand('create', '--name', 'other');
    await seeded(other.workspace_id!, values.posts, '0');
    await seeded(api.workspaceId, values.posts, values.comments);
    const seconds = await waitForSegments(api.databaseUrl);
    const [sizes] = await query<Record<string, number>>(api.databaseUrl, SIZES);
    // As after a release: the API prepares its searches before it listens.
    await api.restart();
    const throughput = await compareThroughput(api);
    const alone = await measureMix(api);
    const besideScrape = await measureBesideScrape(api);
    return {
      ...values,
      segments: { seconds, ...sizes },
      throughput,
      alone,
      beside_scrape: besideScrape,
      api_rss_mb: Math.round(api.rssMb()),
    };
  } finally {
    await api.stop();
  }
}

/**
 * Measures the mix while one worker scrapes forums into the workspace as fast as it can, from a platform without
 * latency and with an unlimited budget.
 */
async function measureBesideScrape(api: BenchApi): Promise<Record<string, unknown>> {
  const { redisUrl } = await benchServers();
  const { databaseUrl, dataDir } = api;
  const workspaceId = parseId('workspace', api.workspaceId);
  const forums = Array.from({ length: SCRAPED_FORUMS }, (_, n) => `busy${n}`);
  const platform = await startPlatform(...forums.flatMap((forum) => ['--forum', forum]));
  const worker = await new Worker({ databaseUrl, redisUrl, platformUrl: platform.url, dataDir }).ready();
  try {
    await query(
      databaseUrl,
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
       SELECT $1, gen_random_uuid(), forum, 'forum', 'full', 1000, false, true FROM unnest($2::text[]) AS forum`,
      [workspaceId, forums],
    );
    const began = performance.now();
    const figures = await measureMix(api);
    const seconds = (performance.now() - began) / 1_000;
    const [scraped] = await query<{ rows: number; busy: boolean }>(
      databaseUrl,
      `SELECT sum(posts_scraped + comments_scraped)::int AS rows, bool_or(status IN ('pending', 'running')) AS busy
       FROM jobs WHERE workspace_id = $1`,
      [workspaceId],
    );
    if (!scraped!.busy) throw new Error('The worker had nothing to scrape before all queries were measured');
    return { ...figures, scraped_rows_per_second: Math.round(scraped!.rows / seconds) };
  } finally {
    platform.stop();
    await worker.end('SIGKILL');
  }
}

async function measureMix(api: BenchApi): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const times: Record<'first' | 'again', Map<string, number[]>> = { first: new Map(), again: new Map() };
  const refused: string[] = [];
  const running: Promise<void>[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { name, path } of queriesOf(round)) {
        await client.query(
          'UPDATE posts SET score = score + 1 WHERE workspace_id = $1 AND id = (SELECT min(id) FROM posts WHERE workspace_id = $1)',
          [api.workspaceId],
        );
        const ask = async (): Promise<void> => {
          for (const kind of ['first', 'again'] as const) {
            const milliseconds = await timeOf(api, path);
            if (milliseconds === null) refused.push(name);
            else times[kind].set(name, [...(times[kind].get(name) ?? []), milliseconds]);
          }
        };
        running.push(ask());
        await sleep(INTERVAL_MS);
      }
    await Promise.all(running);
  } finally {
    await client.end();
  }
  const worst = [...times.first].sort(([, a], [, b]) => Math.max(...b) - Math.max(...a)).slice(0, 10);
  return {
    queries: times.first.size,
    first: latencyOf([...times.first.values()].flat()),
    again: latencyOf([...times.again.values()].flat()),
    refused,
    slowest_first: Object.fromEntries(worst.map(([name, all]) => [name, Math.round(Math.max(...all))])),
  };
}

/** Milliseconds until the whole response; null when the search was stopped as too expensive. */
async function timeOf(api: BenchApi, path: string): Promise<number | null> {
  const began = performance.now();
  const response = await fetch(`${api.url}/api/v1/workspaces/${api.workspaceId}${path}`, {
    headers: api.headers,
  });
  const text = await response.text();
  if (response.status === SEARCH_STOPPED) return null;
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text.slice(0, 200)}`);
  return performance.now() - began;
}

function latencyOf(times: number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Requests a second in a closed loop, for a page of 50 posts and for a single post. */
async function compareThroughput(api: BenchApi): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM posts WHERE workspace_id = $1 ORDER BY id LIMIT 1',
    [api.workspaceId],
  );
  await client.end();
  const statements = {
    page: selectNewestPosts(api.workspaceId),
    post: {
      text: `SELECT ${POST_FIELDS.join(', ')} FROM posts WHERE workspace_id = $1 AND id = $2`,
      parameters: [api.workspaceId, rows[0]!.id],
    },
  };
  const routes = Object.entries(statements).map(([name, sql]): BareRoute => ({ path: `/${name}`, sql }));
  const bare = fork(join(FORKED, 'support/bare-express.js'), {
    env: {
      ...process.env,
      DATABASE_URL: api.databaseUrl,
      BARE_ROUTES: JSON.stringify(routes),
      BARE_CONNECTIONS: String(CONNECTIONS),
      NODE_ENV: 'production',
    },
  });
  try {
    const [{ port }] = (await once(bare, 'message', { signal: AbortSignal.timeout(30_000) })) as [
      { port: number },
    ];
    const own = `${api.url}/api/v1/workspaces/${api.workspaceId}/posts`;
    const compared = (name: keyof typeof statements, address: string): Promise<Record<string, number>> =>
      compare({
        own: () => requestRate(address, api.headers, SECONDS),
        bare: () => requestRate(`http://127.0.0.1:${port}/${name}`, {}, SECONDS),
        sql: () => statementRate(api.databaseUrl, statements[name], SECONDS),
      });
    return {
      page_of_50: await compared('page', `${own}?limit=50`),
      single_post: await compared('post', `${own}/${rows[0]!.id}`),
    };
  } finally {
    bare.kill();
  }
}

/** Alternates between the three, so that other load on the machine affects all of them. */
async function compare(
  rates: Record<'own' | 'bare' | 'sql', () => Promise<number>>,
): Promise<Record<string, number>> {
  const rounds: Record<keyof typeof rates, number>[] = [];
  for (let round = 0; round <= ROUNDS; round += 1)
    rounds.push({ own: await rates.own(), bare: await rates.bare(), sql: await rates.sql() });
  // The first round is a warm-up.
  const meanOf = (kind: keyof typeof rates): number => mean(rounds.slice(1).map((round) => round[kind]));
  return {
    requests_per_second: Math.round(meanOf('own')),
    bare_express_per_second: Math.round(meanOf('bare')),
    bare_sql_per_second: Math.round(meanOf('sql')),
    ratio: Number((meanOf('own') / meanOf('bare')).toFixed(2)),
    ratio_to_bare_sql: Number((meanOf('own') / meanOf('sql')).toFixed(2)),
  };
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
