import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, signal } from './process-identity.js';

/** A signal, and the time to wait for the process to end before the next signal is sent. */
export interface EndingStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

/** Identifies a process: the start time distinguishes it from a later process with the same id. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

const POLL_MS = 20;
const KILL_WAIT_MS = 5_000;

/** Ends the process with increasingly strong signals, SIGKILL last. Returns whether it has ended. */
export async function endProcess(
  { pid, startedAt }: ProcessIdentity,
  steps: readonly EndingStep[],
): Promise<boolean> {
  for (const step of [...steps, { signal: 'SIGKILL', waitMs: KILL_WAIT_MS } as const]) {
    if (!(await isRunning(pid, startedAt))) return true;
    signal(pid, step.signal);
    const deadline = performance.now() + step.waitMs;
    while (performance.now() < deadline) {
      await sleep(POLL_MS);
      if (!(await isRunning(pid, startedAt))) return true;
    }
  }
  return false;
}
