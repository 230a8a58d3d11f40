import { once } from 'node:events';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type BenchApi, startBenchApi } from './support/api.js';
import { exportToEnd } from './support/export-job.js';
import { median } from './support/median.js';

const POSTS = 1_000_000;
const COPY_ROUNDS = 3;

export interface TakeoutFigures {
  posts: number;
  parquet_rows_per_second: number;
  /** Rows a second of COPY with the same columns, read by a client that discards them: the median of three. */
  copy_rows_per_second: number;
  /** First divided by second; target: at least 0.4. */
  share: number;
  megabytes: number;
  parts: number;
  /** Maximum of the worker that writes the export; target: below 300. */
  rss_peak_mb: number;
}

/** One export of all posts as Parquet, compared with COPY of the same rows. Argument: the number of posts. */
export async function run([posts = String(POSTS)]: string[] = []): Promise<TakeoutFigures> {
  const api = await startBenchApi(Number(posts), { beside: 'worker' });
  try {
    const copySeconds = await copy(api);
    let peak = 0;
    const record = await exportToEnd(api, 'parquet', () => {
      peak = Math.max(peak, api.besideRssMb());
    });
    if (record.rows !== Number(posts)) throw new Error(`exported ${record.rows} of ${posts} posts`);
    const seconds = (Date.parse(record.completed_at) - Date.parse(record.started_at)) / 1_000;
    return {
      posts: record.rows,
      parquet_rows_per_second: Math.round(record.rows / seconds),
      copy_rows_per_second: Math.round(record.rows / copySeconds),
      share: Number((copySeconds / seconds).toFixed(3)),
      megabytes: Math.round(record.bytes / 1_048_576),
      parts: record.parts.length,
      rss_peak_mb: Math.round(peak),
    };
  } finally {
    await api.stop();
  }
}

async function copy({ databaseUrl, workspaceId }: BenchApi): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const seconds: number[] = [];
  try {
    const [columns] = (
      await client.query<{ columns: string }>(
        `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
         FROM information_schema.columns
         WHERE table_name = 'posts' AND column_name NOT IN ('annotations', 'search')`,
      )
    ).rows;
    for (let round = 0; round < COPY_ROUNDS; round += 1) {
      const began = performance.now();
      const rows = client.query(
        copyTo(
          `COPY (SELECT ${columns!.columns} FROM posts WHERE workspace_id = ${client.escapeLiteral(workspaceId)}) TO STDOUT`,
        ),
      );
      rows.resume();
      await once(rows, 'end');
      seconds.push((performance.now() - began) / 1_000);
    }
  } finally {
    await client.end();
  }
  return median(seconds);
}
