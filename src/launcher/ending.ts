import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, signal } from './process-identity.js';

/** What is sent, and how long the process may then take before the next is sent. */
export interface EndingStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

/** A process, told apart from a later one that was given the same id. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

const LOOK_EVERY_MS = 20;
const AFTER_KILL_MS = 5_000;

/** Ends the process step by step, at last by SIGKILL. True when it is gone, false when even that did not help. */
export async function endProcess(
  { pid, startedAt }: ProcessIdentity,
  steps: readonly EndingStep[],
): Promise<boolean> {
  for (const step of [...steps, { signal: 'SIGKILL', waitMs: AFTER_KILL_MS } as const]) {
    if (!(await isRunning(pid, startedAt))) return true;
    signal(pid, step.signal);
    const deadline = performance.now() + step.waitMs;
    while (performance.now() < deadline) {
      await sleep(LOOK_EVERY_MS);
      if (!(await isRunning(pid, startedAt))) return true;
    }
  }
  return false;
}
