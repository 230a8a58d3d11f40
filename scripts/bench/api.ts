import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchApi } from './support/api.js';
import { Bench } from './support/harness.js';
import { insertJobs } from './support/jobs.js';
import { latencyOf, secondsOf } from './support/measure.js';
import { numbersOf } from './support/options.js';
import { query } from './support/query.js';
import { queriesOf } from './support/query-mix.js';
import { seedWorkspace } from './support/seeded-rows.js';
import { waitForSegments } from './support/segments.js';

const ROUNDS = 3;
/** Milliseconds between the starts of two queries, whether or not the previous one has been answered. */
const INTERVAL_MS = 500;
/** Enough for a worker to be busy during all queries. */
const SCRAPED_FORUMS = 60;
/** Status of a search that exceeds `SEARCH_TIMEOUT_MS`. */
const SEARCH_STOPPED = 503;
/** Sizes of the segments and of the texts that they index, in megabytes. */
const SIZES = `SELECT (pg_total_relation_size('search_blocks') / 1048576)::int AS index_mb,
  (((SELECT sum(octet_length(title) + octet_length(selftext)) FROM posts)
    + (SELECT coalesce(sum(octet_length(body)), 0) FROM comments))/ 1048576)::int AS text_mb,
  (SELECT count(*)::int FROM search_segments) AS segments`;

/**
 * Latencies of a mix of queries over HTTP at a constant rate: each for the first time after a change of rows and
 * repeated, without other load and while a worker scrapes into the same workspace at full speed. Another workspace has
 * as many posts. Arguments: `[--posts N] [--comments M]`.
 */
export async function run(args: string[] = []): Promise<Record<string, unknown>> {
  const given = numbersOf(args, { posts: 50_000, comments: 150_000 });
  return Bench.run(async (bench) => {
    const { databaseUrl } = bench;
    const api = await bench.api(0, 'scheduler');
    const other = await bench.workspace('other');
    await seedWorkspace(databaseUrl, { workspace: other.workspaceId, posts: given.posts });
    await seedWorkspace(databaseUrl, { workspace: api.workspaceId, ...given });
    const seconds = await waitForSegments(databaseUrl);
    const [sizes] = await query<Record<string, number>>(databaseUrl, SIZES);
    // As after a release: the API prepares its searches before it listens.
    await api.restart();
    const alone = await measureMix(bench, api);
    const besideScrape = await measureBesideScrape(bench, api);
    return {
      ...given,
      segments: { seconds, ...sizes },
      alone,
      beside_scrape: besideScrape,
      api_rss_mb: Math.round(api.rssMb()),
    };
  });
}

/**
 * Measures the mix while one worker scrapes forums into the workspace as fast as it can, from a platform without
 * latency and with an unlimited budget.
 */
async function measureBesideScrape(bench: Bench, api: BenchApi): Promise<Record<string, unknown>> {
  const { workspaceId } = api;
  const forums = Array.from({ length: SCRAPED_FORUMS }, (_, n) => `busy${n}`);
  await bench.worker(await bench.platform(...forums.flatMap((forum) => ['--forum', forum])));
  await insertJobs(
    bench.databaseUrl,
    forums.map((target) => ({ workspaceId, target, limit: 1_000 })),
  );
  let figures: Record<string, unknown> = {};
  const seconds = await secondsOf(async () => (figures = await measureMix(bench, api)));
  const [scraped] = await query<{ rows: number; busy: boolean }>(
    bench.databaseUrl,
    `SELECT sum(posts_scraped + comments_scraped)::int AS rows, bool_or(status IN ('pending', 'running')) AS busy
     FROM jobs WHERE workspace_id = $1`,
    [workspaceId],
  );
  if (!scraped!.busy) throw new Error('The worker had nothing to scrape before all queries were measured');
  return { ...figures, scraped_rows_per_second: Math.round(scraped!.rows / seconds) };
}

async function measureMix(bench: Bench, api: BenchApi): Promise<Record<string, unknown>> {
  const client = await bench.client();
  const times: Record<'first' | 'again', Map<string, number[]>> = { first: new Map(), again: new Map() };
  const refused: string[] = [];
  const running: Promise<void>[] = [];
  const ask = async (name: string, path: string): Promise<void> => {
    for (const kind of ['first', 'again'] as const) {
      const began = performance.now();
      const response = await api.send(path, { allowed: SEARCH_STOPPED });
      await response.arrayBuffer();
      const milliseconds = performance.now() - began;
      if (response.status === SEARCH_STOPPED) refused.push(name);
      else times[kind].set(name, [...(times[kind].get(name) ?? []), milliseconds]);
    }
  };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, path } of queriesOf(round)) {
      await client.query(
        'UPDATE posts SET score = score + 1 WHERE workspace_id = $1 AND id = (SELECT min(id) FROM posts WHERE workspace_id = $1)',
        [api.workspaceId],
      );
      running.push(ask(name, path));
      await sleep(INTERVAL_MS);
    }
  await Promise.all(running);
  const worst = [...times.first].map(([name, all]) => [name, Math.round(Math.max(...all))] as const);
  return {
    queries: times.first.size,
    first: latencyOf([...times.first.values()].flat()),
    again: latencyOf([...times.again.values()].flat()),
    refused,
    slowest_first: Object.fromEntries(worst.sort(([, a], [, b]) => b - a).slice(0, 10)),
  };
}
