import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { migrate } from '../../../src/database/run-migrations.js';
import { EventReceiver } from '../support/event-receiver.js';
import { causeFault, planFaults } from '../support/load-faults.js';
import {
  answersByStatus,
  type CausedFault,
  isGood,
  isRight,
  recoverySeconds,
  type Sample,
} from '../support/load-report.js';
import { FollowedStream } from '../support/load-streams.js';
import { type OpenWork, waitUntilDone } from '../support/load-state.js';
import {
  createTenants,
  executeReference,
  FORUM_SIZE,
  LOAD_FORUMS,
  LOAD_JOBS,
  resultOfTenant,
} from '../support/load-tenants.js';
import { LoadTraffic } from '../support/load-traffic.js';
import { violationsOf } from '../support/load-violations.js';
import { historyViolations } from '../../support/request-history.js';
import { type Pooler, startPooler } from '../support/pgbouncer.js';
import { startPlatform } from '../../../scripts/bench/support/platform.js';
import { residentMb } from '../../../scripts/bench/support/resources.js';
import { RoundRobinClient } from '../support/round-robin-client.js';
import { benchServers } from '../../../scripts/bench/support/servers.js';
import { Topology } from '../support/topology.js';

const WORKSPACES = 3;
const LATENCY_MS = 50;
const READ_EVERY_MS = 300;
const JOB_EVERY_MS = 1_500;
const WARM_UP_MS = 20_000;
/** Timeout of each of the two attempts of a request. */
const ATTEMPT_TIMEOUT_MS = 5_000;
const DONE_TIMEOUT_MS = 120_000;

/** The result of one run. */
export interface LoadFigures {
  seed: number;
  seconds: number;
  /** Everything that must not happen; the command fails if there is any. */
  violations: string[];
  /** In order: seconds from the end of the fault until every later request was good; null when it did not recover. */
  faults: { name: string; recovery_seconds: number | null; failed: Record<string, Record<string, number>> }[];
  answers: Record<string, Record<string, number>>;
  rolling_restart: { seconds: number; requests: number; failed: Record<string, Record<string, number>> };
  jobs: { stored: number; scheduled: number; slowest_seconds: number };
  events: { stored: number; received: number; received_again: number };
  open_at_end: OpenWork;
  /** Resident memory of the processes of each role, in megabytes, after a warm-up and at the end. */
  memory_mb: Record<string, { before: number[]; after: number[] }>;
}

/**
 * APIs, workers and schedulers, as many as `--apis`, `--workers` and `--schedulers` say, serve a constant mix of requests
 * while processes and servers are killed, silenced and restarted at moments derived from `--seed`. Then every process is
 * restarted once by SIGTERM. `--seconds` is the duration of the faults, 300 by default. With `--pgbouncer PROGRAM`, all
 * processes reach Postgres through a PgBouncer.
 */
export async function run(args: string[] = []): Promise<LoadFigures> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      apis: { type: 'string', default: '2' },
      workers: { type: 'string', default: '3' },
      schedulers: { type: 'string', default: '2' },
      pgbouncer: { type: 'string' },
    },
  });
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  const counts = {
    api: Number(values.apis),
    worker: Number(values.workers),
    scheduler: Number(values.schedulers),
  };
  const servers = await benchServers();
  await migrate(servers.databaseUrl);
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-load-'));
  const receiver = await EventReceiver.start();
  const platform = await startPlatform(
    '--latency-ms',
    String(LATENCY_MS),
    ...LOAD_FORUMS.flatMap((forum) => [
      '--forum',
      `${forum}:${FORUM_SIZE.posts}:${FORUM_SIZE.commentsPerPost}`,
    ]),
  );
  let topology: Topology | undefined;
  let pooler: Pooler | undefined;
  try {
    if (values.pgbouncer !== undefined) pooler = await startPooler(values.pgbouncer, servers);
    const { databaseRequestUrl, ...addresses } = pooler?.addresses ?? servers;
    topology = await Topology.start({ ...addresses, platformUrl: platform.url, dataDir }, counts, {
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      API_RATE_LIMIT_PER_MINUTE: '6000',
      QUOTA_IDEMPOTENCY_KEYS: '0',
      ...(databaseRequestUrl !== undefined && { DATABASE_REQUEST_URL: databaseRequestUrl }),
    });
    return await measure(topology, servers, receiver, { seconds, seed });
  } finally {
    await topology?.kill();
    await pooler?.stop();
    platform.stop();
    receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(
  topology: Topology,
  servers: Awaited<ReturnType<typeof benchServers>>,
  receiver: EventReceiver,
  { seconds, seed }: { seconds: number; seed: number },
): Promise<LoadFigures> {
  const urls = topology.withRole('api').map(({ url }) => url);
  const client = new RoundRobinClient(urls, ATTEMPT_TIMEOUT_MS);
  const { reference, tenants, pauseSchedules } = await createTenants(
    servers.databaseUrl,
    WORKSPACES,
    client,
    receiver,
  );
  await executeReference(client, reference);
  const streams = await Promise.all(tenants.map((tenant) => FollowedStream.begin(urls, tenant)));
  await pauseSchedules(false);
  const traffic = new LoadTraffic({
    client,
    tenants,
    jobs: LOAD_JOBS,
    readEveryMs: READ_EVERY_MS,
    jobEveryMs: JOB_EVERY_MS,
  });
  traffic.start();
  await sleep(WARM_UP_MS);
  const before = memoryOf(topology);
  const faults = await causeFaults(topology, servers, seconds, seed);
  const faultsEndAt = performance.now();
  await topology.restartAll();
  const restartedAt = performance.now();
  await traffic.stop();
  await pauseSchedules(true);
  const open = await waitUntilDone(servers.databaseUrl, DONE_TIMEOUT_MS);

  const expected = await resultOfTenant(servers.databaseUrl, reference, receiver);
  const results = await Promise.all(
    tenants.map((tenant) => resultOfTenant(servers.databaseUrl, tenant, receiver)),
  );
  const streamed = await Promise.all(streams.map((stream) => stream.violations(servers.databaseUrl)));
  const { samples, requested, history } = traffic;
  const recoveries = recoverySeconds(faults, samples, faultsEndAt);
  const failedBetween = (from: number, to: number): LoadFigures['answers'] =>
    answersByStatus(samples.filter((sample) => sample.at >= from && sample.at < to && !isGood(sample)));
  const duringRestart = samples.filter(({ at }) => at >= faultsEndAt && at < restartedAt);
  const jobs = results.flatMap(({ state }) => state.jobs);
  const received = [...receiver.received.values()].flatMap((events) => [...events.values()]);
  return {
    seed,
    seconds,
    violations: [
      ...violationsOf(results, expected, requested),
      ...historyViolations(history.observations),
      ...streamed.flat(),
      ...Object.entries(open).flatMap(([what, count]) =>
        count > 0 ? [`${count} ${what} are still open`] : [],
      ),
      ...wrongAnswers(samples),
      ...faults.flatMap(({ name }, index) =>
        recoveries[index] === null ? [`no recovery from: ${name}`] : [],
      ),
      ...duringRestart
        .filter((sample) => !isGood(sample))
        .map((sample) => `rolling restart: ${textOf(sample)}`),
    ],
    faults: faults.map(({ name, startedAt }, index) => ({
      name,
      recovery_seconds: recoveries[index]!,
      failed: failedBetween(startedAt, faults[index + 1]?.startedAt ?? faultsEndAt),
    })),
    answers: answersByStatus(samples),
    rolling_restart: {
      seconds: Math.round((restartedAt - faultsEndAt) / 1_000),
      requests: duringRestart.length,
      failed: failedBetween(faultsEndAt, restartedAt),
    },
    jobs: {
      stored: jobs.length,
      scheduled: jobs.filter(({ isScheduled }) => isScheduled).length,
      slowest_seconds: Math.round(Math.max(...jobs.map((job) => job.seconds ?? 0)) * 10) / 10,
    },
    events: {
      stored: results.reduce((sum, { state }) => sum + state.events.length, 0),
      received: received.length,
      received_again: received.reduce((sum, { times }) => sum + times - 1, 0),
    },
    open_at_end: open,
    memory_mb: compareMemory(before, memoryOf(topology)),
  };
}

async function causeFaults(
  topology: Topology,
  servers: Awaited<ReturnType<typeof benchServers>>,
  seconds: number,
  seed: number,
): Promise<CausedFault[]> {
  const beganAt = performance.now();
  const untilSecond = (second: number): Promise<void> =>
    sleep(Math.max(0, beganAt + second * 1_000 - performance.now()));
  const caused: CausedFault[] = [];
  for (const fault of planFaults(seed, seconds)) {
    await untilSecond(fault.atSeconds);
    process.stderr.write(`${Math.round((performance.now() - beganAt) / 1_000)} s: ${fault.name}\n`);
    caused.push(await causeFault(fault, topology, servers));
  }
  await untilSecond(seconds);
  return caused;
}

const textOf = ({ kind, status, code, ms }: Sample): string =>
  `${kind} was answered with ${[status, code].filter(Boolean).join(' ')} after ${Math.round(ms)} ms`;

function wrongAnswers(samples: readonly Sample[]): string[] {
  return samples.filter((sample) => !isRight(sample)).map(textOf);
}

type Memory = Record<string, number[]>;

function memoryOf(topology: Topology): Memory {
  const memory: Memory = {};
  for (const { role, pid } of topology.members) (memory[role] ??= []).push(Math.round(residentMb(pid)));
  return memory;
}

function compareMemory(before: Memory, after: Memory): LoadFigures['memory_mb'] {
  return Object.fromEntries(
    Object.entries(before).map(([role, values]) => [role, { before: values, after: after[role]! }]),
  );
}
