import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BenchApi, startBenchApi } from './support/api.js';
import { exportToEnd } from './support/export-job.js';
import { median } from './support/median.js';

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

export interface DataFrameFigures {
  posts: number;
  parquet_export_seconds: number;
  dataframe_seconds: number;
  /** Second divided by first; target: at most 1.5. */
  ratio: number;
}

/**
 * All posts as a pandas data frame through the Python client, compared with a Parquet export job, from the request to
 * its last byte. Needs Python with httpx and pandas (`PYTHON`, default python3); with pyarrow, the client reads Parquet.
 * Argument: the number of posts.
 */
export async function run([posts = String(POSTS)]: string[] = []): Promise<DataFrameFigures> {
  const api = await startBenchApi(Number(posts), { beside: 'worker' });
  try {
    const exports: number[] = [];
    const frames: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      const { rows, parts } = await exportToEnd(api, 'parquet');
      for (const { path } of parts)
        await (await fetch(api.url + path, { headers: api.headers })).arrayBuffer();
      exports.push((performance.now() - began) / 1_000);
      if (rows !== Number(posts)) throw new Error(`exported ${rows} of ${posts} posts`);
      frames.push(await frameSeconds(api, Number(posts)));
    }
    const [exported, framed] = [median(exports), median(frames)];
    return {
      posts: Number(posts),
      parquet_export_seconds: round(exported),
      dataframe_seconds: round(framed),
      ratio: round(framed / exported),
    };
  } finally {
    await api.stop();
  }
}

async function frameSeconds({ url, headers }: BenchApi, posts: number): Promise<number> {
  const { stdout } = await execute(process.env.PYTHON ?? 'python3', ['-c', PROGRAM], {
    env: { ...process.env, PYTHONPATH: join(CLIENT), BASE_URL: url, API_KEY: headers['X-API-Key'] },
  });
  const [rows, seconds] = stdout.trim().split(' ').map(Number);
  if (rows !== posts) throw new Error(`the data frame has ${rows} of ${posts} posts`);
  return seconds!;
}

const round = (value: number): number => Number(value.toFixed(3));
