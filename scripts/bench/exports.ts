import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BenchApi } from './support/api.js';
import { Bench } from './support/harness.js';
import { peakDuring, quantile, rounded, timesDuring } from './support/measure.js';

const execute = promisify(execFile);
const DOWNLOAD = join(import.meta.dirname, 'support/download.js');

const POSTS = 12_000;
const EXPORTS = 20;
const PROBE_EVERY_MS = 50;
const QUIET_MS = 10_000;

/** Twenty exports of 10,000 posts in parallel: the API's memory, and their effect on other requests. */
export function run(): Promise<object> {
  return Bench.run(async (bench) => {
    const api = await bench.api(POSTS);
    const probesDuring = async (work: () => Promise<unknown>): Promise<number> => {
      const readPage = async () => (await api.send('/posts?limit=50')).arrayBuffer();
      return quantile(await timesDuring(PROBE_EVERY_MS, readPage, work), 0.95);
    };
    // Warmed up, as any service is after its first minute.
    await download(api, 2);
    await probesDuring(() => sleep(QUIET_MS));
    const rssBefore = api.rssMb();
    const quiet = await probesDuring(() => sleep(QUIET_MS));
    const startedAt = performance.now();
    let [bytes, seconds] = [0, 0];
    const { result: busy, peak } = await peakDuring(
      () => api.rssMb(),
      () =>
        probesDuring(async () => {
          bytes = await download(api, EXPORTS);
          seconds = (performance.now() - startedAt) / 1_000;
        }),
    );
    return {
      exports: EXPORTS,
      megabytes_an_export: rounded(bytes / EXPORTS / 1_048_576),
      seconds_for_all: rounded(seconds),
      rss_before_mb: rounded(rssBefore),
      // Maximum while exports run; target: below 300.
      rss_peak_mb: rounded(peak),
      p95_quiet_ms: rounded(quiet),
      p95_during_exports_ms: rounded(busy),
      // Target: below 3.
      ratio: rounded(busy / quiet),
    };
  });
}

/** Total bytes of `exports` parallel exports, half of them CSV and half JSON. */
async function download(api: BenchApi, exports: number): Promise<number> {
  const addresses = Array.from({ length: exports }, (_, n) =>
    api.addressOf(`/exports/posts?format=${n % 2 === 0 ? 'csv' : 'json'}`),
  );
  const { stdout } = await execute(process.execPath, [DOWNLOAD, api.headers['X-API-Key'], ...addresses]);
  return Number(stdout);
}
