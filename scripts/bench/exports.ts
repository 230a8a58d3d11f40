import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type BenchApi, startBenchApi } from './support/api.js';

const execute = promisify(execFile);
const DOWNLOAD = join(import.meta.dirname, 'support/download.js');

const POSTS = 12_000;
const EXPORTS = 20;
const PROBE_EVERY_MS = 50;
const QUIET_PROBES = 200;

export interface ExportFigures {
  exports: number;
  megabytes_an_export: number;
  seconds_for_all: number;
  rss_before_mb: number;
  /** Maximum while exports run; target: below 300. */
  rss_peak_mb: number;
  p95_quiet_ms: number;
  p95_during_exports_ms: number;
  /** Second divided by first; target: below 3. */
  ratio: number;
}

/** Twenty exports of 10,000 posts in parallel: the API's memory, and their effect on other requests. */
export async function run(): Promise<ExportFigures> {
  const api = await startBenchApi(POSTS);
  try {
    // Warmed up, as any service is after its first minute.
    await download(api, 2);
    await probe(api, () => false, QUIET_PROBES);
    const rssBefore = api.rssMb();
    const quiet = await probe(api, () => false, QUIET_PROBES);
    let running = true;
    let peak = rssBefore;
    const watch = (async () => {
      while (running) {
        peak = Math.max(peak, api.rssMb());
        await sleep(20);
      }
    })();
    const startedAt = performance.now();
    const all = download(api, EXPORTS).finally(() => {
      running = false;
    });
    const busy = await probe(api, () => !running, Infinity);
    const bytes = await all;
    const seconds = (performance.now() - startedAt) / 1_000;
    await watch;
    return {
      exports: EXPORTS,
      megabytes_an_export: round(bytes / EXPORTS / 1_048_576),
      seconds_for_all: round(seconds),
      rss_before_mb: round(rssBefore),
      rss_peak_mb: round(peak),
      p95_quiet_ms: round(quiet),
      p95_during_exports_ms: round(busy),
      ratio: round(busy / quiet),
    };
  } finally {
    await api.stop();
  }
}

/** Total bytes of `exports` parallel exports, half of them CSV and half JSON. */
async function download(api: BenchApi, exports: number): Promise<number> {
  const addresses = Array.from(
    { length: exports },
    (_, n) =>
      `${api.url}/api/v1/workspaces/${api.workspaceId}/exports/posts?format=${n % 2 === 0 ? 'csv' : 'json'}`,
  );
  const { stdout } = await execute(process.execPath, [DOWNLOAD, api.headers['X-API-Key'], ...addresses]);
  return Number(stdout);
}

/** The 95th percentile of GET /posts in milliseconds, requested sequentially at a steady pace. */
async function probe(api: BenchApi, done: () => boolean, atMost: number): Promise<number> {
  const times: number[] = [];
  while (!done() && times.length < atMost) {
    const startedAt = performance.now();
    const response = await fetch(`${api.url}/api/v1/workspaces/${api.workspaceId}/posts?limit=50`, {
      headers: api.headers,
    });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    await sleep(PROBE_EVERY_MS);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
}

const round = (value: number): number => Number(value.toFixed(2));
