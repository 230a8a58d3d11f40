import { setImmediate } from 'node:timers/promises';

/** Well under the 50 ms that work may hold the event loop: one text more costs a few at most. */
const SLICE_MILLISECONDS = 20;

/** `items.map(work)`, giving the event loop a turn whenever a slice of time is used up. */
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
