/** The lowest and the highest of a set of numbers. */
export interface Range {
  lowest: number;
  highest: number;
}

/** The range of an empty set: its lowest is above its highest. */
export const emptyRange = (): Range => ({ lowest: Infinity, highest: -Infinity });

/** Extends a range to include a number. */
export function extend(range: Range, number: number): void {
  if (number < range.lowest) range.lowest = number;
  if (number > range.highest) range.highest = number;
}

/** The range of these numbers. */
export function rangeOf(numbers: ArrayLike<number>): Range {
  const range = emptyRange();
  for (let index = 0; index < numbers.length; index += 1) extend(range, numbers[index]!);
  return range;
}
