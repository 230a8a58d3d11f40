/**
 * The first index below `count` that meets a condition, by binary search: every later index must meet it too. `count` when
 * none does.
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
