import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { migrate } from '../../src/database/run-migrations.js';
import { insertJob, type Result, resultOf, waitUntil, Worker, type World } from './support/chaos.js';
import { benchServers } from './support/servers.js';

const SANDBOX = join(import.meta.dirname, '../../src/platforms/sandbox/main.js');
const JOB = { target: 'chaos', limit: 120, media: true };
/** Runs under way together, each with a worker, a database and a logical Redis of its own. */
const LANES = 5;
const TIMEOUT_MS = 120_000;

const DISTURBANCES = ['kill', 'flush', 'postgres', 'all'] as const;
type Disturbance = (typeof DISTURBANCES)[number];

/**
 * What happens in which round, to all lanes: 50 runs with a kill, 10 each with the others. Restarts are spread out, since
 * whoever embeds Postgres waits longer each time it ends again within a minute.
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
 * Runs the same job again and again while its surroundings are taken away at a random moment: the worker killed, Redis
 * wiped, Postgres restarted, all three. Every run must leave what the undisturbed one left.
 */
export async function run(): Promise<Record<string, unknown>> {
  const servers = await benchServers();
  const sandbox = fork(SANDBOX, ['--latency-ms', '20', '--forum', 'chaos:150'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(sandbox.stdout!, 'data')) as [Buffer];
  const { listening } = JSON.parse(line.toString()) as { listening: string };
  const folder = await mkdtemp(join(tmpdir(), 'bench-chaos-'));
  try {
    const lanes = await Promise.all(
      Array.from({ length: LANES }, async (_, index): Promise<World> => {
        const databaseUrl = await createDatabase(servers.databaseUrl, `chaos_${index}`);
        await migrate(databaseUrl);
        return {
          databaseUrl,
          redisUrl: `${servers.redisUrl.replace(/\/\d*$/, '')}/${index + 1}`,
          platformUrl: listening,
          dataDir: join(folder, String(index)),
        };
      }),
    );
    const began = performance.now();
    const first = await Promise.all(lanes.map((world) => scrape(world, null, 0)));
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
        lanes.map(async (world) => {
          const afterMs = Math.floor(Math.random() * longestMs);
          const one = await scrape(world, disturbance, afterMs);
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
    sandbox.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a job left, and how long it took once its worker had begun. */
async function scrape(world: World, disturbance: Disturbance | null, afterMs: number): Promise<Run> {
  let worker = await startedAtLast(world);
  try {
    const { workspaceId, jobId } = await insertJob(world.databaseUrl, JOB);
    await waitUntil(world.databaseUrl, jobId, (job) => job.status === 'running', TIMEOUT_MS);
    const began = performance.now();
    await sleep(afterMs);
    if (disturbance === 'flush' || disturbance === 'all') await flush(world.redisUrl);
    if (disturbance === 'kill' || disturbance === 'all') {
      await worker.end('SIGKILL');
      worker = await startedAtLast(world);
    }
    await waitUntil(world.databaseUrl, jobId, () => false, TIMEOUT_MS);
    const seconds = (performance.now() - began) / 1_000;
    return { result: await resultOf(world.databaseUrl, workspaceId), seconds };
  } finally {
    await worker.end('SIGKILL');
  }
}

/** A worker does not start while Postgres is on its way back. */
async function startedAtLast(world: World): Promise<Worker> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await new Worker(world).ready();
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

/** All of Redis: every lane loses its part. */
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
