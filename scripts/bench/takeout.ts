import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type BenchApi, startBenchApi } from './support/api.js';
import { median } from './support/median.js';

const POSTS = 1_000_000;
const POLL_MS = 100;
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

interface ExportRecord {
  id: string;
  status: string;
  rows: number;
  bytes: number;
  parts: unknown[];
  started_at: string;
  completed_at: string;
}

/** One export of all posts as Parquet, compared with COPY of the same rows. Argument: the number of posts. */
export async function run([posts = String(POSTS)]: string[] = []): Promise<TakeoutFigures> {
  const api = await startBenchApi(Number(posts), { beside: 'worker' });
  try {
    const copySeconds = await copy(api);
    const { record, peak } = await exportAll(api);
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

async function exportAll(api: BenchApi): Promise<{ record: ExportRecord; peak: number }> {
  const address = `${api.url}/api/v1/workspaces/${api.workspaceId}/exports`;
  const created = await fetch(address, {
    method: 'POST',
    headers: { ...api.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ of: 'posts', format: 'parquet' }),
  });
  const { id } = (await created.json()) as ExportRecord;
  let peak = 0;
  for (;;) {
    peak = Math.max(peak, api.besideRssMb());
    const record = (await (await fetch(`${address}/${id}`, { headers: api.headers })).json()) as ExportRecord;
    if (record.status === 'completed') return { record, peak };
    if (record.status === 'failed') throw new Error(JSON.stringify(record));
    await sleep(POLL_MS);
  }
}
