/** Ascending numbers of the places of a word: positions, or numbers from {@link placeIn}. */
export type Places = readonly number[];

/** More than any position and the distance of any words of a query. */
const TEXT = 1 << 15;

/** A number for a position in a record: those in the title come first, and no words near each other span both parts. */
export const placeIn = (position: number, isInTitle: boolean): number =>
  isInTitle ? position : position + TEXT;

/** The position of a number from {@link placeIn}. */
export const positionIn = (place: number): number => place % TEXT;

/** The places of all lists together. */
export const merged = (lists: readonly Places[]): Places =>
  lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b);

/**
 * The places of the first word from which on every word has its distance to the first, ascending. Takes time in
 * proportion to the places of all words, less where few starts are left.
 */
export function phraseStarts(words: readonly Places[], distances: readonly number[]): Places {
  const starts = words[0]!.slice();
  for (let index = 1; index < words.length && starts.length > 0; index += 1)
    keepFollowed(starts, words[index]!, distances[index]!);
  return starts;
}

/** Keeps the starts with a place at a distance after them. Copies of long lists would take longer than the comparison. */
function keepFollowed(starts: number[], places: Places, distance: number): void {
  let kept = 0;
  let next = 0;
  for (const start of starts) {
    next = indexFrom(places, start + distance, next);
    if (places[next] === start + distance) starts[kept++] = start;
  }
  starts.length = kept;
}

/** The index of the first place from `wanted` on, at `from` or after it: looked for in steps that double. */
function indexFrom(places: Places, wanted: number, from: number): number {
  let step = 1;
  while (from + step < places.length && places[from + step]! < wanted) {
    from += step;
    step *= 2;
  }
  let end = Math.min(from + step, places.length);
  while (from < end) {
    const middle = (from + end) >> 1;
    if (places[middle]! < wanted) from = middle + 1;
    else end = middle;
  }
  return from;
}

/**
 * The places of any word after which every word occurs within a distance, the place included, ascending. Takes time in
 * proportion to the places of all words, for each of them to the number of words.
 */
export function nearStarts(words: readonly Places[], distance: number): Places {
  const starts: number[] = [];
  const nexts = words.map(() => 0);
  for (;;) {
    let first = Infinity;
    let last = 0;
    for (let word = 0; word < words.length; word += 1) {
      const place = words[word]![nexts[word]!];
      if (place === undefined) return starts;
      if (place < first) first = place;
      if (place > last) last = place;
    }
    if (last - first <= distance) starts.push(first);
    for (let word = 0; word < words.length; word += 1)
      if (words[word]![nexts[word]!] === first) nexts[word]! += 1;
  }
}
