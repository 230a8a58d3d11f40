import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../src/database/run-migrations.js';
import { Worker } from './support/chaos.js';
import { startPlatform } from './support/platform.js';
import { resourcesOf } from './support/resources.js';
import { query } from './support/rows.js';
import { round } from './support/soak-service.js';
import { benchServers } from './support/servers.js';

const LATENCY_MS = 100;
const FORUM = 'workers';
const POSTS = 20;
const JOBS_PER_WORKER = 60;
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

/**
 * Jobs a second of one worker and of four, with a platform latency of 100 ms and an unlimited budget. Each job of 20
 * posts with comments belongs to a workspace of its own, and there are as many jobs for each worker. Target ratio: 3.5.
 */
export async function run(): Promise<{ one: Figures; four: Figures; ratio: number }> {
  const { databaseUrl } = await benchServers();
  await migrate(databaseUrl);
  const platform = await startPlatform('--latency-ms', String(LATENCY_MS), '--forum', `${FORUM}:${POSTS}:4`);
  try {
    const one = await measure(platform.url, 1);
    const four = await measure(platform.url, 4);
    return { one, four, ratio: round(four.jobs_per_second / one.jobs_per_second) };
  } finally {
    platform.stop();
  }
}

async function measure(platformUrl: string, count: number): Promise<Figures> {
  const { databaseUrl, redisUrl } = await benchServers();
  const workers = Array.from({ length: count }, () => new Worker({ databaseUrl, redisUrl, platformUrl }));
  try {
    await Promise.all(workers.map((worker) => worker.ready()));
    const jobs = JOBS_PER_WORKER * count;
    const cpuBefore = cpuOf(workers);
    const startedAt = performance.now();
    await waitForAll(databaseUrl, await insertJobs(databaseUrl, jobs));
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      workers: count,
      jobs,
      seconds: round(seconds),
      jobs_per_second: round(jobs / seconds),
      cpu_seconds: round(cpuOf(workers) - cpuBefore),
    };
  } finally {
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
