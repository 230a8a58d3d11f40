import { once } from 'node:events';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { exportToEnd } from './support/export-job.js';
import { Bench } from './support/harness.js';
import { inTurns, median, peakDuring, rounded, secondsOf } from './support/measure.js';
import { residentMb } from './support/resources.js';

const POSTS = 1_000_000;
const COPY_ROUNDS = 3;

/** One export of all posts as Parquet, compared with COPY of the same rows. Argument: the number of posts. */
export function run([posts = String(POSTS)]: string[] = []): Promise<object> {
  return Bench.run(async (bench) => {
    const api = await bench.api(Number(posts), 'worker');
    const client = await bench.client();
    const copied = await inTurns(COPY_ROUNDS, {
      seconds: () => secondsOf(() => copy(client, api.workspaceId)),
    });
    const { result: record, peak } = await peakDuring(
      () => residentMb(api.beside!.pid),
      () => exportToEnd(api, Number(posts)),
    );
    const seconds = (Date.parse(record.completed_at) - Date.parse(record.started_at)) / 1_000;
    return {
      posts: record.rows,
      parquet_rows_per_second: Math.round(record.rows / seconds),
      // COPY with the same columns, read by a client that discards them: the median of three.
      copy_rows_per_second: Math.round(record.rows / median(copied.seconds)),
      // Target: at least 0.4.
      share: rounded(median(copied.seconds) / seconds, 3),
      megabytes: Math.round(record.bytes / 1_048_576),
      parts: record.parts.length,
      // Maximum of the worker that writes the export; target: below 300.
      rss_peak_mb: Math.round(peak),
    };
  });
}

async function copy(client: pg.Client, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_name = 'posts' AND column_name NOT IN ('annotations', 'search')`,
  );
  const selected = `SELECT ${rows[0]!.columns} FROM posts WHERE workspace_id = ${client.escapeLiteral(workspaceId)}`;
  const lines = client.query(copyTo(`COPY (${selected}) TO STDOUT`));
  lines.resume();
  await once(lines, 'end');
}
