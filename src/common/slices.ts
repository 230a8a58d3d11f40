import { setImmediate } from 'node:timers/promises';

/** Well below the 50 ms for which work may block the event loop: one more text costs a few ms at most. */
const SLICE_MILLISECONDS = 20;

/** `items.map(work)`, yielding to the event loop whenever a time slice is used up. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  work: (item: T) => R,
  now: () => number = () => performance.now(),
): Promise<R[]> {
  const results: R[] = [];
  let started = now();
  for (const item of items) {
    if (now() - started >= SLICE_MILLISECONDS) {
      await setImmediate();
      started = now();
    }
    results.push(work(item));
  }
  return results;
}
