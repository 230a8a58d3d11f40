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
