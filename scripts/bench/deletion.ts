import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Bench } from './support/harness.js';
import { peakDuring, quantile, rounded, timesDuring, until } from './support/measure.js';
import { numbersOf } from './support/options.js';
import { query } from './support/query.js';
import { seedWorkspace } from './support/seeded-rows.js';

const NEIGHBOUR_POSTS = 20_000;
const QUIET_MS = 20_000;
/** Milliseconds between the starts of two requests, whether or not the previous one has been answered. */
const INTERVAL_MS = 50;
const DELETION_TIMEOUT_MS = 1_800_000;

/**
 * Deletes a workspace of many posts and as many comments while a neighbour reads pages from the same API. Arguments:
 * `[--posts N]`.
 */
export async function run(args: string[] = []): Promise<object> {
  const { posts } = numbersOf(args, { posts: 100_000 });
  return Bench.run(async (bench) => {
    const { databaseUrl, redisUrl } = bench;
    const api = await bench.api(NEIGHBOUR_POSTS, 'worker');
    const { workspaceId: id } = await bench.workspace('large');
    await seedWorkspace(databaseUrl, { workspace: id, posts, comments: posts });
    await query(databaseUrl, 'ANALYZE');
    const client = await bench.client();
    const oldestTransaction = async (): Promise<number> => {
      const { rows } = await client.query<{ ms: number }>(
        `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start) * 1000), 0)::int AS ms
         FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return rows[0]!.ms;
    };
    const deleteIt = async (): Promise<void> => {
      await bench.operate(({ admin }) => admin.delete(id));
      const read = () => query(databaseUrl, 'SELECT 1 FROM workspaces WHERE id = $1', [id]);
      await until(read, (rows) => rows.length === 0, DELETION_TIMEOUT_MS);
    };
    const pagesDuring = async (work: () => Promise<unknown>): Promise<number> => {
      const readPage = async () => (await api.send('/posts?limit=50')).arrayBuffer();
      return Math.round(quantile(await timesDuring(INTERVAL_MS, readPage, work), 0.95));
    };
    const quiet = await pagesDuring(() => sleep(QUIET_MS));
    const began = performance.now();
    const { result: attacked, peak } = await peakDuring(oldestTransaction, () => pagesDuring(deleteIt));
    return {
      posts,
      seconds: Math.round((performance.now() - began) / 1_000),
      // The neighbour's pages of 50 posts, in milliseconds; target of the ratio: below 2.
      neighbour_p95_quiet: quiet,
      neighbour_p95: attacked,
      ratio: rounded(attacked / quiet),
      // The longest transaction seen, which is how long its locks were held; target: below 1,000.
      longest_transaction_ms: peak,
      // What is left of the workspace: rows by table, and Redis keys with its id.
      violations: [...(await rowsLeft(databaseUrl, id)), ...(await keysLeft(redisUrl, id))],
    };
  });
}

async function rowsLeft(databaseUrl: string, id: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_type = 'BASE TABLE' ORDER BY table_name`,
    [],
  );
  const left: string[] = [];
  for (const { name } of tables) {
    const [row] = await query<{ count: number }>(
      databaseUrl,
      `SELECT count(*)::int AS count FROM "${name}" WHERE workspace_id = $1`,
      [id],
    );
    if (row!.count > 0) left.push(`${row!.count} rows in ${name}`);
  }
  return left;
}

async function keysLeft(redisUrl: string, id: string): Promise<string[]> {
  const redis = new Redis(redisUrl);
  try {
    const left: string[] = [];
    for await (const keys of redis.scanStream({ match: `*${id}*`, count: 1_000 }))
      left.push(...(keys as string[]).map((key) => `Redis key ${key}`));
    return left;
  } finally {
    redis.disconnect();
  }
}
