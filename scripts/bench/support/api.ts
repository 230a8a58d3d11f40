import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { resourcesOf } from './resources.js';
import { benchServers } from './servers.js';

const run = promisify(execFile);
const COMPILED = join(import.meta.dirname, '../../../src');

export interface BenchApi {
  url: string;
  databaseUrl: string;
  workspaceId: string;
  headers: { 'X-API-Key': string };
  /** Resident memory of the API's process, in megabytes (Linux). */
  rssMb(): Promise<number>;
  /** Of the API's process so far, in seconds (Linux). */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** The API in a process of its own, with a workspace of so many posts. */
export async function startBenchApi(posts: number): Promise<BenchApi> {
  const { databaseUrl, redisUrl } = await benchServers();
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-api-'));
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    ROLES: 'api',
    PORT: '0',
    LOG_LEVEL: 'silent',
    API_RATE_LIMIT_PER_MINUTE: '0',
  };
  await run(process.execPath, [join(COMPILED, 'cli/migrate.js')], { env });
  const { stdout } = await run(
    process.execPath,
    [join(COMPILED, 'cli/workspace.js'), 'create', '--name', 'bench', '--json'],
    { env },
  );
  const workspace = JSON.parse(stdout) as { workspace_id: string; api_key: string };
  await fill(databaseUrl, workspace.workspace_id, posts);
  const child = fork(join(COMPILED, 'main.js'), { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ listening }] = (await once(child, 'message', { signal: AbortSignal.timeout(60_000) })) as [
    { listening: string },
  ];
  return {
    url: listening,
    databaseUrl,
    workspaceId: workspace.workspace_id,
    headers: { 'X-API-Key': workspace.api_key },
    rssMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
    },
    cpuSeconds: () => resourcesOf(child.pid!).cpuSeconds,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Posts of about 1.2 kB, made by Postgres itself. */
async function fill(databaseUrl: string, workspaceId: string, posts: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, url, score, upvote_ratio,
         num_comments, selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls,
         sentiment_score, sentiment_label, keywords, scraped_at)
       SELECT $1, 't3_' || lpad(to_hex(n), 7, '0'), 'forum' || n % 20, 'Post number ' || n || ' about batteries', 'author' || n % 500,
         timestamptz '2026-01-01' + n * interval '1 minute', '/r/forum/comments/' || n || '/post/', NULL, n % 5000, 0.9,
         n % 300, repeat('Charging a battery in a minute is "news", they say. ', 16 + n % 8), 'self', false, false, '', 0,
         false, '{}', 0.25, 'positive', ARRAY['battery', 'charging', 'minute'], timestamptz '2026-02-01'
       FROM generate_series(1, $2) AS n`,
      [workspaceId, posts],
    );
    await client.query('ANALYZE posts');
  } finally {
    await client.end();
  }
}
