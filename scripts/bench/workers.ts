import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../src/database/run-migrations.js';
import { Worker } from './support/chaos.js';
import { startPlatform } from './support/platform.js';
import { limitProcessor } from './support/processor-share.js';
import { resourcesOf } from './support/resources.js';
import { query } from './support/rows.js';
import { round } from './support/soak-service.js';
import { benchServers } from './support/servers.js';

const LATENCY_MS = 100;
const FORUM = 'workers';
const POSTS = 20;
const JOBS_PER_WORKER = 60;
/** Not counted, because a newly started worker is still compiling its code. */
const WARM_UP_JOBS = 12;
/** Share of one core that a limited worker may use: four, Postgres, Redis and the platform then fit on two cores. */
const SHARE = 0.15;
const TIMEOUT_MS = 600_000;
const POLL_MS = 50;

interface Figures {
  workers: number;
  jobs: number;
  seconds: number;
  jobs_per_second: number;
  /** Processor time of all workers together. */
  cpu_seconds: number;
}

interface Comparison {
  one: Figures;
  four: Figures;
  ratio: number;
}

/**
 * Jobs a second of one worker and of four, with a platform latency of 100 ms and an unlimited budget. Each job of 20
 * posts with comments belongs to a workspace of its own, and there are as many jobs for each worker. Target ratio: 3.5.
 * On two cores four workers cannot reach it at full speed, so each is also measured with a share of a core.
 */
export async function run(): Promise<{ share: number; limited: Comparison; unlimited: Comparison }> {
  const { databaseUrl } = await benchServers();
  await migrate(databaseUrl);
  const platform = await startPlatform('--latency-ms', String(LATENCY_MS), '--forum', `${FORUM}:${POSTS}:4`);
  try {
    return {
      share: SHARE,
      limited: await compare(platform.url, SHARE),
      unlimited: await compare(platform.url, null),
    };
  } finally {
    platform.stop();
  }
}

async function compare(platformUrl: string, share: number | null): Promise<Comparison> {
  const one = await measure(platformUrl, 1, share);
  const four = await measure(platformUrl, 4, share);
  return { one, four, ratio: round(four.jobs_per_second / one.jobs_per_second) };
}

async function measure(platformUrl: string, count: number, share: number | null): Promise<Figures> {
  const { databaseUrl, redisUrl } = await benchServers();
  const workers = Array.from({ length: count }, () => new Worker({ databaseUrl, redisUrl, platformUrl }));
  const end = new AbortController();
  try {
    await Promise.all(workers.map((worker) => worker.ready()));
    await waitForAll(databaseUrl, await insertJobs(databaseUrl, WARM_UP_JOBS * count));
    const limited = share === null ? null : limitProcessor(workers, share, end.signal);
    const jobs = JOBS_PER_WORKER * count;
    const cpuBefore = cpuOf(workers);
    const startedAt = performance.now();
    await waitForAll(databaseUrl, await insertJobs(databaseUrl, jobs));
    const seconds = (performance.now() - startedAt) / 1_000;
    end.abort();
    await limited;
    return {
      workers: count,
      jobs,
      seconds: round(seconds),
      jobs_per_second: round(jobs / seconds),
      cpu_seconds: round(cpuOf(workers) - cpuBefore),
    };
  } finally {
    end.abort();
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
  }
}

/** Inserts jobs with a workspace for each in one statement, so that only the time of the workers is measured. */
async function insertJobs(databaseUrl: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await query(
    databaseUrl,
    `WITH created AS (INSERT INTO workspaces (id, name) SELECT id, 'Workers' FROM unnest($1::uuid[]) AS id RETURNING id)
     INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
     SELECT id, id, $2, 'forum', 'full', $3, false, true FROM created`,
    [ids, FORUM, POSTS],
  );
  return ids;
}

/** Polls until every job is completed. Throws when one has failed, or after ten minutes. */
async function waitForAll(databaseUrl: string, ids: readonly string[]): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(POLL_MS)) {
    const [counts] = await query<{ completed: number; failed: number }>(
      databaseUrl,
      `SELECT count(*) FILTER (WHERE status = 'completed')::int AS completed,
         count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM jobs WHERE id = ANY ($1)`,
      [ids],
    );
    if (counts!.failed > 0) throw new Error(`${counts!.failed} jobs failed`);
    if (counts!.completed === ids.length) return;
    if (Date.now() > deadline) throw new Error(`${counts!.completed} of ${ids.length} jobs ended in time`);
  }
}

const cpuOf = (workers: readonly Worker[]): number =>
  workers.reduce((sum, worker) => sum + resourcesOf(worker.pid).cpuSeconds, 0);
