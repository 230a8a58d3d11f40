import { setTimeout as sleep } from 'node:timers/promises';
import { resourcesOf } from './resources.js';
import type { ServiceProcess } from './service-process.js';

const CHECK_MS = 10;
/** Unused time that a process may catch up on, in seconds. */
const MAX_SAVED_SECONDS = 0.02;

/**
 * Limits processes to a share of one core each, as if they ran on slower machines, by pausing each while it has used
 * more. Stops when the signal aborts and leaves them running.
 */
export async function limitProcessor(
  processes: readonly ServiceProcess[],
  share: number,
  signal: AbortSignal,
): Promise<void> {
  const states = processes.map((limited) => ({
    limited,
    usedAt: resourcesOf(limited.pid).cpuSeconds,
    credit: 0,
  }));
  let checkedAt = performance.now();
  while (!signal.aborted) {
    await sleep(CHECK_MS);
    const now = performance.now();
    for (const state of states) {
      const used = resourcesOf(state.limited.pid).cpuSeconds;
      const earned = (share * (now - checkedAt)) / 1_000;
      state.credit = Math.min(MAX_SAVED_SECONDS, state.credit + earned) - (used - state.usedAt);
      state.usedAt = used;
      if (state.credit < 0) state.limited.silence();
      else state.limited.resume();
    }
    checkedAt = now;
  }
  for (const { limited } of states) limited.resume();
}
