import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { parseId } from '../../src/common/ids.js';
import { type BenchApi, startBenchApi } from './support/api.js';
import { query } from './support/rows.js';
import { benchServers } from './support/servers.js';
import { run as seed } from './seed.js';

const NEIGHBOUR_POSTS = 20_000;
const QUIET_MS = 20_000;
/** Milliseconds between the starts of two requests, whether or not the previous one has been answered. */
const INTERVAL_MS = 50;
const POLL_MS = 20;
const DELETION_TIMEOUT_MS = 1_800_000;

interface DeletionFigures {
  posts: number;
  seconds: number;
  /** The neighbour's pages of 50 posts, in milliseconds. */
  neighbour_p95_quiet: number;
  neighbour_p95: number;
  /** Target: below 2. */
  ratio: number;
  /** The longest transaction seen, which is how long its locks were held; target: below 1,000. */
  longest_transaction_ms: number;
  /** What is left of the workspace: rows by table, and Redis keys with its id. */
  violations: string[];
}

/**
 * Deletes a workspace of many posts and as many comments while a neighbour reads pages from the same API. Arguments:
 * `[--posts N]`.
 */
export async function run(args: string[] = []): Promise<DeletionFigures> {
  const { values } = parseArgs({ args, options: { posts: { type: 'string', default: '100000' } } });
  const api = await startBenchApi(NEIGHBOUR_POSTS, { beside: 'worker' });
  const { databaseUrl, redisUrl } = await benchServers();
  try {
    const doomed = (await api.workspaceCommand('create', '--name', 'large')).workspace_id!;
    const size = ['--posts', values.posts, '--comments', values.posts];
    await seed(['--workspace', doomed, '--into', databaseUrl, ...size]);
    await query(databaseUrl, 'ANALYZE');
    const id = parseId('workspace', doomed)!;
    const quiet = await readPages(api, () => sleep(QUIET_MS));
    const began = performance.now();
    const transactions = watchTransactions(databaseUrl);
    const attacked = await readPages(api, async () => {
      await api.workspaceCommand('delete', doomed);
      await waitUntilDeleted(databaseUrl, id);
    });
    const seconds = (performance.now() - began) / 1_000;
    return {
      posts: Number(values.posts),
      seconds: Math.round(seconds),
      neighbour_p95_quiet: p95(quiet),
      neighbour_p95: p95(attacked),
      ratio: Number((p95(attacked) / p95(quiet)).toFixed(2)),
      longest_transaction_ms: await transactions.end(),
      violations: [...(await rowsLeft(databaseUrl, id)), ...(await keysLeft(redisUrl, id))],
    };
  } finally {
    await api.stop();
  }
}

/** Milliseconds of each page, read at a constant rate until `work` has ended. */
async function readPages(api: BenchApi, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    const began = performance.now();
    const response = await fetch(`${api.url}/api/v1/workspaces/${api.workspaceId}/posts?limit=50`, {
      headers: api.headers,
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A page of the neighbour got ${response.status}`);
    times.push(performance.now() - began);
  };
  const ended = work().finally(() => (isOver = true));
  while (!isOver) {
    running.push(read());
    await sleep(INTERVAL_MS);
  }
  await Promise.all([ended, ...running]);
  return times;
}

/** Looks for the longest transaction of the service until it is ended, which returns its milliseconds. */
function watchTransactions(databaseUrl: string): { end: () => Promise<number> } {
  let isOver = false;
  const watch = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    let longest = 0;
    try {
      while (!isOver) {
        const { rows } = await client.query<{ ms: number }>(
          `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start) * 1000), 0)::int AS ms
           FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        );
        longest = Math.max(longest, rows[0]!.ms);
        await sleep(POLL_MS);
      }
      return longest;
    } finally {
      await client.end();
    }
  };
  const watched = watch();
  return {
    end: () => {
      isOver = true;
      return watched;
    },
  };
}

async function waitUntilDeleted(databaseUrl: string, id: string): Promise<void> {
  for (const deadline = performance.now() + DELETION_TIMEOUT_MS; ; await sleep(POLL_MS)) {
    const rows = await query(databaseUrl, 'SELECT 1 FROM workspaces WHERE id = $1', [id]);
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error('The workspace was not deleted in time');
  }
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

const p95 = (times: readonly number[]): number =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!);
