import type { TurnLimits } from '../jobs/job-turns.repository.js';
import type { Lease } from './job-execution.js';
import type { ClaimedJob } from './job-executions.repository.js';

/** Jobs that one process executes at a time. */
export const SLOTS = 12;
/** How many of these slots large jobs may use; the others are reserved for small jobs. */
const LARGE_SLOTS = 6;
/** The last free slots of a process are reserved for workspaces that have no running job. */
const NEWCOMER_SLOTS = 4;
/** Large and small jobs of one workspace that may run at a time, across all processes. */
const LARGE_JOBS_PER_WORKSPACE = 2;
const SMALL_JOBS_PER_WORKSPACE = 6;

/** How long a process starts no other job next to one whose worker died. */
const ALONE_MS = 30_000;

/** The executions of this process. */
export interface ProcessLoad {
  small: number;
  large: number;
}

const freeSlots = ({ small, large }: ProcessLoad): number => SLOTS - small - large;

/**
 * Whether this process has a slot for a job whose lease has expired. Such a job does not wait for a turn: it had one
 * when it started.
 */
export function mayResume(execution: ClaimedJob, load: ProcessLoad): boolean {
  if (!execution.hasExpired || freeSlots(load) <= 0) return false;
  return execution.isSmall || load.large < LARGE_SLOTS;
}

/**
 * Whether an execution began a short time ago whose job may end this process. It starts no other job during that time, because
 * that one would be lost with it.
 */
export function startsAlone(
  { workerDeaths, claimedAt }: Pick<Lease, 'workerDeaths' | 'claimedAt'>,
  now: Date,
): boolean {
  return workerDeaths > 0 && now.getTime() - claimedAt.getTime() < ALONE_MS;
}

/** The workspaces that may not start a job in this process now; null when the process has no free slot. */
export function claimLimits(executions: readonly ClaimedJob[], load: ProcessLoad): TurnLimits | null {
  const free = freeSlots(load);
  if (free <= 0) return null;
  const running = { small: new Map<string, number>(), large: new Map<string, number>() };
  for (const { workspaceId, isSmall, hasExpired } of executions) {
    if (hasExpired) continue;
    const counts = isSmall ? running.small : running.large;
    counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  }
  const newcomersOnly = free <= NEWCOMER_SLOTS;
  const present = [...new Set([...running.small.keys(), ...running.large.keys()])];
  const full = (counts: Map<string, number>, cap: number): string[] =>
    newcomersOnly ? present : present.filter((workspaceId) => (counts.get(workspaceId) ?? 0) >= cap);
  return {
    allowsLarge: load.large < LARGE_SLOTS,
    withoutSmall: full(running.small, SMALL_JOBS_PER_WORKSPACE),
    withoutLarge: full(running.large, LARGE_JOBS_PER_WORKSPACE),
  };
}
