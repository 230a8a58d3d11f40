import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../src/sandbox/data/random.js';
import type { CausedFault } from './load-report.js';
import { postgresPid, redisPid, restartPostgres, silenceFor } from './server-processes.js';
import type { ServerAddresses } from '../../../src/launcher/embedded-servers.js';
import type { Topology, TopologyMember } from './topology.js';

/** Time between two faults, long enough to measure the recovery from each. */
const FAULT_EVERY_SECONDS = 14;
/** Delay before a killed process is started again, as a service manager does. */
const RESTART_AFTER_MS = 1_000;
/** Longer than the 10 s lease of a job, so that a silenced worker loses its jobs and only learns it later. */
const WORKER_SILENCE_MS = 11_500;
const OTHER_SILENCE_MS: readonly [number, number] = [2_000, 6_000];

const FAULTS = [
  'kill api',
  'restart redis',
  'silence worker',
  'restart postgres',
  'kill worker',
  'silence api',
  'silence postgres',
  'kill scheduler',
  'silence redis',
  'silence scheduler',
] as const;
type FaultName = (typeof FAULTS)[number];

/** A fault and its time, in seconds from the start. */
export interface PlannedFault {
  name: FaultName;
  atSeconds: number;
  silenceMs: number;
  /** Chooses one of the processes with the role, in [0, 1). */
  choice: number;
}

/** The faults within `seconds`: all ten in an order derived from the seed, then again in another order. */
export function planFaults(seed: number, seconds: number): PlannedFault[] {
  const random = new Random(seed);
  const planned: PlannedFault[] = [];
  let left: FaultName[] = [];
  for (let second = 2; second + FAULT_EVERY_SECONDS <= seconds + 2; second += FAULT_EVERY_SECONDS) {
    if (left.length === 0) left = [...FAULTS];
    const [name] = left.splice(Math.floor(random.float() * left.length), 1) as [FaultName];
    const [least, most] = OTHER_SILENCE_MS;
    planned.push({
      name,
      // At a random moment of its interval, so that it does not coincide with other periodic work.
      atSeconds: second + random.float(),
      silenceMs: name === 'silence worker' ? WORKER_SILENCE_MS : least + random.float() * (most - least),
      choice: random.float(),
    });
  }
  return planned;
}

/** Causes one fault; resolves when the affected process or server runs again, so that two faults never overlap. */
export async function causeFault(
  { name, silenceMs, choice }: PlannedFault,
  topology: Topology,
  servers: ServerAddresses,
): Promise<CausedFault> {
  const [action, target] = name.split(' ') as [string, 'api' | 'worker' | 'scheduler' | 'postgres' | 'redis'];
  if (target === 'postgres' || target === 'redis') {
    const pid = await (target === 'postgres' ? postgresPid(servers.databaseUrl) : redisPid(servers.redisUrl));
    const startedAt = performance.now();
    if (action === 'silence') {
      await silenceFor(pid, silenceMs);
      return { name, startedAt, overAt: performance.now() };
    }
    if (target === 'postgres') await restartPostgres(servers.databaseUrl);
    else process.kill(pid, 'SIGKILL');
    return { name, startedAt, overAt: startedAt };
  }
  const members = topology.withRole(target);
  return causeProcessFault(name, action, members[Math.floor(choice * members.length)]!, silenceMs);
}

async function causeProcessFault(
  name: string,
  action: string,
  member: TopologyMember,
  silenceMs: number,
): Promise<CausedFault> {
  const startedAt = performance.now();
  if (action === 'silence') {
    member.silence();
    await sleep(silenceMs);
    member.resume();
    return { name, startedAt, overAt: performance.now() };
  }
  await member.kill();
  await sleep(RESTART_AFTER_MS);
  await member.restart('SIGKILL');
  return { name, startedAt, overAt: startedAt };
}
