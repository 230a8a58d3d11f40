import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { insertJob, type Result, resultOf, waitUntil, Worker, type World } from './support/chaos.js';
import { benchServers } from './support/servers.js';

const SANDBOX = join(import.meta.dirname, '../../src/platforms/sandbox/main.js');
const JOB = { target: 'chaos', limit: 150 };
const RUNS = Number(process.env.CHAOS_RUNS ?? 50);
const RUNS_OF_EACH_OTHER = 3;
const TIMEOUT_MS = 120_000;

type Disturbance = 'kill' | 'flush' | 'postgres' | 'all';

/**
 * Runs the same job again and again while its surroundings are taken away at a random moment: the worker killed, Redis
 * wiped, Postgres restarted, all three. Every run must leave what the undisturbed one left.
 */
export async function run(): Promise<Record<string, unknown>> {
  const { databaseUrl, redisUrl } = await benchServers();
  await migrate(databaseUrl);
  const sandbox = fork(SANDBOX, ['--latency-ms', '20', '--forum', 'chaos:200'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(sandbox.stdout!, 'data')) as [Buffer];
  const { listening } = JSON.parse(line.toString()) as { listening: string };
  const world: World = { databaseUrl, redisUrl, platformUrl: listening };
  try {
    const [undisturbed, milliseconds] = await scrape(world, null, 0);
    // Restarts are spread out: whoever embeds Postgres waits longer each time it ends again at once.
    const others = Array.from(
      { length: RUNS_OF_EACH_OTHER },
      () => ['flush', 'postgres', 'all'] as const,
    ).flat();
    const plan: Disturbance[] = others.flatMap((other, index) => [
      ...Array.from({ length: share(RUNS, others.length, index) }, () => 'kill' as const),
      other,
    ]);
    const figures: Record<string, { runs: number; same: number; slowestSeconds: number }> = {};
    const different: { disturbance: Disturbance; afterMs: number; result: Result }[] = [];
    for (const disturbance of plan) {
      const afterMs = Math.floor(Math.random() * milliseconds);
      const [result, took] = await scrape(world, disturbance, afterMs);
      const figure = (figures[disturbance] ??= { runs: 0, same: 0, slowestSeconds: 0 });
      figure.runs += 1;
      figure.slowestSeconds = Math.max(figure.slowestSeconds, Math.round(took / 100) / 10);
      if (isDeepStrictEqual(result, undisturbed)) figure.same += 1;
      else different.push({ disturbance, afterMs, result });
    }
    return { undisturbed, figures, different };
  } finally {
    sandbox.kill();
  }
}

/** What a job left, and how long it took once its worker served. */
async function scrape(
  world: World,
  disturbance: Disturbance | null,
  afterMs: number,
): Promise<[Result, number]> {
  let worker = await new Worker(world).ready();
  try {
    const { workspaceId, jobId } = await insertJob(world.databaseUrl, JOB);
    await waitUntil(world.databaseUrl, jobId, (job) => job.status === 'running', TIMEOUT_MS);
    const began = performance.now();
    await sleep(afterMs);
    if (disturbance === 'flush' || disturbance === 'all') await flush(world.redisUrl);
    if (disturbance === 'postgres' || disturbance === 'all') await restartPostgres(world.databaseUrl);
    if (disturbance === 'kill' || disturbance === 'all') {
      await worker.end('SIGKILL');
      worker = await startedAgain(world);
    }
    await waitUntil(world.databaseUrl, jobId, () => false, TIMEOUT_MS);
    return [await resultOf(world.databaseUrl, workspaceId), performance.now() - began];
  } finally {
    await worker.end('SIGKILL');
  }
}

/** How many of `total` fall to one of `parts`. */
function share(total: number, parts: number, index: number): number {
  return Math.floor((total * (index + 1)) / parts) - Math.floor((total * index) / parts);
}

/** A worker does not start while Postgres is on its way back. */
async function startedAgain(world: World): Promise<Worker> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await new Worker(world).ready();
    } catch (error) {
      if (attempt === 30) throw error;
      await sleep(1_000);
    }
  }
}

async function flush(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.flushall();
  redis.disconnect();
}

/** Asks the server to stop at once, as an operator would; whoever embeds it brings it back. */
async function restartPostgres(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  await client.end();
  const [pid] = readFileSync(join(rows[0]!.data_directory, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGINT');
}
