/** The lowest and the highest of some numbers. */
export interface Range {
  lowest: number;
  highest: number;
}

/** The range of no numbers: its lowest is above its highest. */
export const emptyRange = (): Range => ({ lowest: Infinity, highest: -Infinity });

/** Takes a number into a range. */
export function extend(range: Range, number: number): void {
  if (number < range.lowest) range.lowest = number;
  if (number > range.highest) range.highest = number;
}

/** The range of numbers. */
export function rangeOf(numbers: Float64Array): Range {
  const range = emptyRange();
  for (let index = 0; index < numbers.length; index += 1) extend(range, numbers[index]!);
  return range;
}
