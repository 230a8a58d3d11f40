import { migrate } from '../../src/database/run-migrations.js';
import { REQUESTS_AT_ONCE } from '../../src/platforms/http/concurrency-limit.js';
import { idealRequests } from '../../src/sandbox/expected-data.js';
import { costOf, insertJob, resultOf, waitUntil, Worker } from './support/chaos.js';
import { startPlatform } from './support/platform.js';
import { resourcesOf } from './support/resources.js';
import { benchServers } from './support/servers.js';

const FORUM = 'technology';
const POSTS = 1_000;
const LATENCY_MS = 50;
const BUDGET_PER_MINUTE = 400;
const TIMEOUT_MS = 600_000;

interface Figures {
  seconds: number;
  /** Seconds that latency or budget alone would take. */
  boundSeconds: number;
  timesBound: number;
  requests: number;
  idealRequests: number;
  timesIdeal: number;
  posts: number;
  comments: number;
  peakRssMb: number;
  cpuSeconds: number;
}

/** A full job of 1,000 posts with comments: once limited only by latency, once by a request budget. */
export async function run(): Promise<{ latencyBound: Figures; budgetBound: Figures }> {
  return {
    latencyBound: await measure('1000000', (requests) => (requests * LATENCY_MS) / 1_000 / REQUESTS_AT_ONCE),
    budgetBound: await measure(String(BUDGET_PER_MINUTE), (requests) => (requests / BUDGET_PER_MINUTE) * 60),
  };
}

async function measure(perMinute: string, bound: (requests: number) => number): Promise<Figures> {
  const { databaseUrl, redisUrl } = await benchServers();
  await migrate(databaseUrl);
  const platform = await startPlatform('--latency-ms', String(LATENCY_MS));
  const worker = await new Worker(
    { databaseUrl, redisUrl, platformUrl: platform.url },
    // Uses its own client id, because the budget of the previous run is still being counted.
    { PLATFORM_REQUESTS_PER_MINUTE: perMinute, PLATFORM_CLIENT_ID: `bench-${perMinute}` },
  ).ready();
  try {
    const { workspaceId, jobId } = await insertJob(databaseUrl, { target: FORUM, limit: POSTS });
    await waitUntil(databaseUrl, jobId, () => false, TIMEOUT_MS);
    const result = await resultOf(databaseUrl, workspaceId);
    const { requests, seconds } = await costOf(databaseUrl, workspaceId);
    const ideal = idealRequests({}, FORUM, POSTS);
    const boundSeconds = bound(requests);
    const use = resourcesOf(worker.pid);
    return {
      seconds: round(seconds),
      boundSeconds: round(boundSeconds),
      timesBound: round(seconds / boundSeconds),
      requests,
      idealRequests: ideal,
      timesIdeal: round(requests / ideal),
      posts: result.posts,
      comments: result.comments,
      ...use,
    };
  } finally {
    await worker.end('SIGTERM');
    platform.stop();
  }
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;
