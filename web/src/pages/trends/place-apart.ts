/**
 * Places things of a size along an axis as near as possible to where they are wanted, none over another and all between
 * two ends while they fit. Answers where each one's middle is, in the order given.
 */
export function placeApart(wanted: readonly number[], size: number, least: number, most: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => wanted[one]! - wanted[other]!);
  const placed = [...wanted];
  let free = least + size / 2;
  for (const index of order) {
    placed[index] = Math.max(wanted[index]!, free);
    free = placed[index] + size;
  }
  free = most - size / 2;
  for (const index of order.toReversed()) {
    if (placed[index]! <= free) break;
    placed[index] = free;
    free -= size;
  }
  return placed;
}

const MOST_LETTERS = 80;

/** A text that is at most as wide as a width, cut at its end if need be. */
export function fitted(text: string, width: number, widthOf: (text: string) => number): string {
  const letters = [...text].slice(0, MOST_LETTERS);
  if (letters.join('') === text && widthOf(text) <= width) return text;
  let cut = `${letters.join('').trimEnd()}…`;
  while (letters.length > 1 && widthOf(cut) > width) {
    letters.pop();
    cut = `${letters.join('').trimEnd()}…`;
  }
  return cut;
}
