/** Groups items by a key and keeps their order. Replaces `Map.groupBy`, which Node.js 20 lacks. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The items in their order, in arrays of at most `size`. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** The results of `read` for all items, of which it gets at most `size` at a time, one call after the other. */
export async function readInChunks<T, R>(
  items: readonly T[],
  size: number,
  read: (some: T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const found: R[] = [];
  for (const some of chunksOf(items, size)) found.push(...(await read(some)));
  return found;
}

/** The items without those whose key an earlier item has: of duplicates, the first counts, wherever records are read. */
export function distinctBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): T[] {
  const byKey = new Map<K, T>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

/**
 * The first index below `count` that satisfies a condition, found by binary search; `count` when none does. Once an
 * index satisfies the condition, all later ones must too.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The fields of an object that have a value, sorted by name, so that equal filters give equal entries whatever order
 * they were sent in.
 */
export function givenEntries(fields: object): [string, unknown][] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
