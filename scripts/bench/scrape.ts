import { REQUESTS_AT_ONCE } from '../../src/platforms/http/concurrency-limit.js';
import { idealRequests } from '../../src/sandbox/expected-data.js';
import { Bench } from './support/harness.js';
import { insertJob, waitUntil } from './support/jobs.js';
import { rounded } from './support/measure.js';
import { resourcesOf } from './support/resources.js';

const FORUM = 'technology';
const POSTS = 1_000;
const LATENCY_MS = 50;
const BUDGET_PER_MINUTE = 400;
const TIMEOUT_MS = 600_000;

/** A full job of 1,000 posts with comments: once limited only by latency, once by a request budget. */
export async function run(): Promise<object> {
  return {
    latencyBound: await measure(1_000_000, (requests) => (requests * LATENCY_MS) / 1_000 / REQUESTS_AT_ONCE),
    budgetBound: await measure(BUDGET_PER_MINUTE, (requests) => (requests / BUDGET_PER_MINUTE) * 60),
  };
}

function measure(perMinute: number, bound: (requests: number) => number): Promise<object> {
  return Bench.run(async (bench) => {
    const worker = await bench.worker(await bench.platform('--latency-ms', String(LATENCY_MS)), {
      PLATFORM_REQUESTS_PER_MINUTE: String(perMinute),
      // Uses its own client id, because the budget of the previous run is still being counted.
      PLATFORM_CLIENT_ID: `bench-${perMinute}`,
    });
    const { jobId } = await insertJob(bench.databaseUrl, { target: FORUM, limit: POSTS });
    const job = await waitUntil(bench.databaseUrl, jobId, () => false, TIMEOUT_MS);
    const [seconds, requests] = [job.seconds!, job.requests!];
    const ideal = idealRequests({}, FORUM, POSTS);
    return {
      seconds: rounded(seconds, 3),
      // Seconds that latency or budget alone would take.
      boundSeconds: rounded(bound(requests), 3),
      timesBound: rounded(seconds / bound(requests), 3),
      requests,
      idealRequests: ideal,
      timesIdeal: rounded(requests / ideal, 3),
      posts: job.posts,
      comments: job.comments,
      ...resourcesOf(worker.pid),
    };
  });
}
