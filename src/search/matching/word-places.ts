/** Ascending numbers of the places of a word: positions, or numbers from {@link placeIn}. */
export type Places = readonly number[];

/** More than any position and the distance of any words of a query. */
const TEXT = 1 << 15;

/** A number for a position in a record: those in the title come first, and no words near each other span both parts. */
export const placeIn = (position: number, isInTitle: boolean): number =>
  isInTitle ? position : position + TEXT;

/** The places of all lists together. */
export const merged = (lists: readonly Places[]): Places =>
  lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a - b);

/**
 * The places of the first word from which on every word has its distance to the first, ascending. Takes time in
 * proportion to the places of all words.
 */
export function phraseStarts(words: readonly Places[], distances: readonly number[]): Places {
  let starts = words[0]!;
  for (let index = 1; index < words.length && starts.length > 0; index += 1)
    starts = followed(starts, words[index]!, distances[index]!);
  return starts;
}

/** The starts with a place at a distance after them. */
function followed(starts: Places, places: Places, distance: number): Places {
  let next = 0;
  return starts.filter((start) => {
    while (next < places.length && places[next]! < start + distance) next += 1;
    return places[next] === start + distance;
  });
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
