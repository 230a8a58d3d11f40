import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BenchApi } from './support/api.js';
import { exportToEnd } from './support/export-job.js';
import { Bench } from './support/harness.js';
import { inTurns, median, rounded, secondsOf } from './support/measure.js';

const execute = promisify(execFile);
const CLIENT = resolve(import.meta.dirname, '../../../clients/python/src');
const POSTS = 50_000;
const ROUNDS = 3;

/** Prints the rows of a data frame and the seconds that it took, importing not included. */
const PROGRAM = `
import os, time
import pandas
try:
    import pyarrow.parquet
except ImportError:
    pass
from workspace_scraping_service import Client
with Client(os.environ["BASE_URL"], os.environ["API_KEY"]) as client:
    began = time.perf_counter()
    frame = client.to_dataframe()
    print(len(frame), time.perf_counter() - began)
`;

/**
 * All posts as a pandas data frame through the Python client, compared with a Parquet export job, from the request to
 * its last byte. Needs Python with httpx and pandas (`PYTHON`, default python3); with pyarrow, the client reads Parquet.
 * Argument: the number of posts.
 */
export function run([given = String(POSTS)]: string[] = []): Promise<object> {
  const posts = Number(given);
  return Bench.run(async (bench) => {
    const api = await bench.api(posts, 'worker');
    const exportAndDownload = async (): Promise<void> => {
      const { parts } = await exportToEnd(api, posts);
      for (const { path } of parts)
        await (await fetch(api.url + path, { headers: api.headers })).arrayBuffer();
    };
    const { exported, framed } = await inTurns(ROUNDS, {
      exported: () => secondsOf(exportAndDownload),
      framed: () => frameSeconds(api, posts),
    });
    return {
      posts,
      parquet_export_seconds: rounded(median(exported), 3),
      dataframe_seconds: rounded(median(framed), 3),
      // Target: at most 1.5.
      ratio: rounded(median(framed) / median(exported), 3),
    };
  });
}

async function frameSeconds({ url, headers }: BenchApi, posts: number): Promise<number> {
  const { stdout } = await execute(process.env.PYTHON ?? 'python3', ['-c', PROGRAM], {
    env: { ...process.env, PYTHONPATH: CLIENT, BASE_URL: url, API_KEY: headers['X-API-Key'] },
  });
  const [rows, seconds] = stdout.trim().split(' ').map(Number);
  if (rows !== posts) throw new Error(`the data frame has ${rows} of ${posts} posts`);
  return seconds!;
}
