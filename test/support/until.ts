import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/** Limit and interval of {@link until}, in milliseconds. */
export interface Polling {
  timeoutMs?: number;
  everyMs?: number;
}

/**
 * Reads until the value is as wanted (by default: truthy) and returns it; throws with the last value when the time is
 * over.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  isReached: (value: T) => unknown = Boolean,
  { timeoutMs = 100_000, everyMs = 20 }: Polling = {},
): Promise<T> {
  for (const startedAt = performance.now(); ;) {
    const value = await read();
    if (isReached(value)) return value;
    if (performance.now() - startedAt > timeoutMs)
      throw new Error(`Not in time: ${read.toString()} returns ${inspect(value)}`);
    await sleep(everyMs);
  }
}
