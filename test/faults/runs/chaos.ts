import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { migrate } from '../../../src/database/run-migrations.js';
import { insertJob, type Installation, waitUntil } from '../../../scripts/bench/support/jobs.js';
import { startPlatform } from '../../../scripts/bench/support/platform.js';
import { type Result, resultOf } from '../support/results.js';
import { restartPostgres } from '../support/server-processes.js';
import { Worker } from '../support/worker.js';
import { benchServers } from '../../../scripts/bench/support/servers.js';

const JOB = { target: 'chaos', limit: 120, media: true };
/**
 * Number of jobs executed in parallel, each by an installation with its own worker, database and logical Redis
 * database.
 */
const INSTALLATIONS = 5;
const TIMEOUT_MS = 120_000;

const DISTURBANCES = ['kill', 'flush', 'postgres', 'all'] as const;
type Disturbance = (typeof DISTURBANCES)[number];

/**
 * The disturbance of each round, in all installations: 50 jobs with a kill, 10 with each of the others. Restarts are
 * spread out, because the supervisor of Postgres waits longer before a restart that follows another within a minute.
 */
const ROUNDS: readonly Disturbance[] = [
  ...(['kill', 'kill', 'postgres', 'kill', 'flush', 'kill', 'kill', 'all'] as const),
  ...(['kill', 'kill', 'postgres', 'kill', 'flush', 'kill', 'kill', 'all'] as const),
];

interface Run {
  result: Result;
  seconds: number;
}

/**
 * Executes the same job repeatedly with one disturbance at a random moment: the worker is killed, Redis wiped, Postgres
 * restarted, or all three. Each execution must store the same rows as an undisturbed one.
 */
export async function run(): Promise<Record<string, unknown>> {
  const servers = await benchServers();
  const platform = await startPlatform('--latency-ms', '20', '--forum', 'chaos:150');
  const folder = await mkdtemp(join(tmpdir(), 'bench-chaos-'));
  try {
    const installations = await Promise.all(
      Array.from({ length: INSTALLATIONS }, async (_, index): Promise<Installation> => {
        const databaseUrl = await createDatabase(servers.databaseUrl, `chaos_${index}`);
        await migrate(databaseUrl);
        return {
          databaseUrl,
          redisUrl: `${servers.redisUrl.replace(/\/\d*$/, '')}/${index + 1}`,
          platformUrl: platform.url,
          dataDir: join(folder, String(index)),
        };
      }),
    );
    const began = performance.now();
    const first = await Promise.all(installations.map((installation) => scrape(installation, null, 0)));
    const undisturbed = first[0]!.result;
    const longestMs = Math.max(...first.map(({ seconds }) => seconds)) * 1_000;
    const runs = new Map(DISTURBANCES.map((disturbance) => [disturbance, [] as Run[]]));
    const different: Record<string, unknown>[] = first
      .filter(({ result }) => !isDeepStrictEqual(result, undisturbed))
      .map(({ result }) => ({ disturbance: null, result }));
    for (const [round, disturbance] of ROUNDS.entries()) {
      const restartAfterMs = Math.floor(Math.random() * longestMs);
      const restart = sleep(restartAfterMs).then(async () => {
        if (disturbance === 'postgres' || disturbance === 'all') await restartPostgres(servers.databaseUrl);
      });
      const ended = await Promise.all(
        installations.map(async (installation) => {
          const afterMs = Math.floor(Math.random() * longestMs);
          const one = await scrape(installation, disturbance, afterMs);
          if (!isDeepStrictEqual(one.result, undisturbed))
            different.push({ disturbance, afterMs, restartAfterMs, result: one.result });
          return one;
        }),
      );
      await restart;
      runs.get(disturbance)!.push(...ended);
      const seconds = ended.map((one) => one.seconds.toFixed(1)).join(' ');
      process.stderr.write(
        `round ${round + 1}/${ROUNDS.length} ${disturbance}: ${seconds} s, ${different.length} different so far\n`,
      );
    }
    const figures = Object.fromEntries(
      [...runs].map(([disturbance, all]) => [
        disturbance,
        {
          runs: all.length,
          same: all.filter(({ result }) => isDeepStrictEqual(result, undisturbed)).length,
          slowestSeconds: Number(Math.max(...all.map(({ seconds }) => seconds)).toFixed(1)),
        },
      ]),
    );
    return { undisturbed, figures, different, seconds: Math.round((performance.now() - began) / 1_000) };
  } finally {
    platform.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Executes the job in a new workspace; `seconds` is the time from the first claim to the end. */
async function scrape(
  installation: Installation,
  disturbance: Disturbance | null,
  afterMs: number,
): Promise<Run> {
  let worker = await startWorker(installation);
  try {
    const { workspaceId, jobId } = await insertJob(installation.databaseUrl, JOB);
    await waitUntil(installation.databaseUrl, jobId, (job) => job.status === 'running', TIMEOUT_MS);
    const began = performance.now();
    await sleep(afterMs);
    if (disturbance === 'flush' || disturbance === 'all') await flush(installation.redisUrl);
    if (disturbance === 'kill' || disturbance === 'all') {
      await worker.end('SIGKILL');
      worker = await startWorker(installation);
    }
    await waitUntil(installation.databaseUrl, jobId, () => false, TIMEOUT_MS);
    const seconds = (performance.now() - began) / 1_000;
    return { result: await resultOf(installation.databaseUrl, workspaceId), seconds };
  } finally {
    await worker.end('SIGKILL');
  }
}

/** Retries, because a worker cannot start while Postgres is starting. */
async function startWorker(installation: Installation): Promise<Worker> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await new Worker(installation).ready();
    } catch (error) {
      if (attempt === 30) throw error;
      await sleep(1_000);
    }
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Empties all logical databases, so that every installation loses its entries. */
async function flush(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.flushall();
  redis.disconnect();
}
