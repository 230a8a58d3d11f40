import { Bench } from './support/harness.js';
import { insertJobs } from './support/jobs.js';
import { rounded, secondsOf, until } from './support/measure.js';
import { limitProcessor } from './support/processor-share.js';
import { query } from './support/query.js';
import { resourcesOf } from './support/resources.js';
import type { ServiceProcess } from './support/service-process.js';

const LATENCY_MS = 100;
const FORUM = 'workers';
const POSTS = 20;
const JOBS_PER_WORKER = 60;
/** Not counted, because a newly started worker is still compiling its code. */
const WARM_UP_JOBS = 12;
/** Share of one core that a limited worker may use: four, Postgres, Redis and the platform then fit on two cores. */
const SHARE = 0.15;
const TIMEOUT_MS = 600_000;

/**
 * Jobs a second of one worker and of four, with a platform latency of 100 ms and an unlimited budget. Each job of 20
 * posts with comments belongs to a workspace of its own, and there are as many jobs for each worker. Target ratio: 3.5.
 * On two cores four workers cannot reach it at full speed, so each is also measured with a share of a core.
 */
export async function run(): Promise<object> {
  return { share: SHARE, limited: await compare(SHARE), unlimited: await compare(null) };
}

async function compare(share: number | null): Promise<object> {
  const one = await measure(1, share);
  const four = await measure(4, share);
  return { one, four, ratio: rounded(four.jobs_per_second / one.jobs_per_second) };
}

function measure(count: number, share: number | null) {
  return Bench.run(async (bench) => {
    const forum = ['--forum', `${FORUM}:${POSTS}:4`];
    const platform = await bench.platform('--latency-ms', String(LATENCY_MS), ...forum);
    const workers = await Promise.all(Array.from({ length: count }, () => bench.worker(platform)));
    await execute(bench.databaseUrl, WARM_UP_JOBS * count);
    const end = new AbortController();
    const limited = share === null ? null : limitProcessor(workers, share, end.signal);
    try {
      const jobs = JOBS_PER_WORKER * count;
      const cpuBefore = cpuOf(workers);
      const seconds = await secondsOf(() => execute(bench.databaseUrl, jobs));
      return {
        workers: count,
        jobs,
        seconds: rounded(seconds),
        jobs_per_second: rounded(jobs / seconds),
        // Processor time of all workers together.
        cpu_seconds: rounded(cpuOf(workers) - cpuBefore),
      };
    } finally {
      end.abort();
      await limited;
    }
  });
}

/** Executes this many jobs, each of its own workspace. Throws when one has failed, or after ten minutes. */
async function execute(databaseUrl: string, count: number): Promise<void> {
  const jobs = await insertJobs(databaseUrl, Array(count).fill({ target: FORUM, limit: POSTS }));
  const left = async (): Promise<number> => {
    const [counts] = await query<{ left: number; failed: number }>(
      databaseUrl,
      `SELECT count(*) FILTER (WHERE status <> 'completed')::int AS left,
         count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM jobs WHERE id = ANY ($1)`,
      [jobs.map(({ jobId }) => jobId)],
    );
    if (counts!.failed > 0) throw new Error(`${counts!.failed} jobs failed`);
    return counts!.left;
  };
  await until(left, (jobsLeft) => jobsLeft === 0, TIMEOUT_MS, 50);
}

const cpuOf = (workers: readonly ServiceProcess[]): number =>
  workers.reduce((sum, worker) => sum + resourcesOf(worker.pid).cpuSeconds, 0);
