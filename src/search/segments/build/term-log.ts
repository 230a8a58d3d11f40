import { packedOccurrences, packedRow, packPosting } from '../format/term-postings.js';

/** A growing array of numbers, appended one at a time. */
export class NumberLog {
  private room = new Uint32Array(4_096);
  length = 0;

  push(number: number): void {
    if (this.length === this.room.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.room);
      this.room = larger;
    }
    this.room[this.length] = number;
    this.length += 1;
  }

  /** The numbers appended so far; appending more may replace the array. */
  all(): Uint32Array {
    return this.room.subarray(0, this.length);
  }
}

/** A term with its rows, as {@link TermLog.sorted} yields it. */
export interface LoggedTerm {
  key: string;
  /** As packed by `packPosting`, in ascending order. */
  postings: Uint32Array;
  /** Indexes of these postings in the log. */
  numbers: Uint32Array;
}

/**
 * Terms and their rows in the order in which they are added. All terms share flat arrays that are sorted at the end:
 * looking up, growing and sorting a list for each term takes much longer.
 */
export class TermLog {
  /** Bytes of positions, posting after posting. */
  readonly positions = new NumberLog();
  private readonly terms = new Map<string, number>();
  /** For each posting: its term, its row with the occurrences, and where its positions end. */
  private readonly termNumbers = new NumberLog();
  private readonly postings = new NumberLog();
  private readonly positionEnds = new NumberLog();

  /** The number of a term, assigned on first use. */
  termOf(key: string): number {
    const known = this.terms.get(key);
    if (known !== undefined) return known;
    const term = this.terms.size;
    this.terms.set(key, term);
    return term;
  }

  /** Adds a row of a term; its positions must already be appended. */
  add(term: number, row: number, occurrences: number): void {
    this.termNumbers.push(term);
    this.postings.push(packPosting(row, occurrences));
    this.positionEnds.push(this.positions.length);
  }

  /** The terms in key order. `places` maps the numbers of added rows to their final row numbers. */
  *sorted(places: Uint32Array): Generator<LoggedTerm> {
    const added = this.postings.all();
    const placeOf = new Uint32Array(added.length);
    for (let index = 0; index < added.length; index += 1) placeOf[index] = places[packedRow(added[index]!)]!;
    const byPlace = sortByNumber(placeOf.keys(), placeOf, places.length);
    const { items, ends } = sortByNumber(byPlace.items, this.termNumbers.all(), this.terms.size);
    const postings = new Uint32Array(added.length);
    for (let index = 0; index < items.length; index += 1) {
      const number = items[index]!;
      postings[index] = packPosting(placeOf[number]!, packedOccurrences(added[number]!));
    }
    for (const key of [...this.terms.keys()].sort()) {
      const term = this.terms.get(key)!;
      const [start, end] = [ends[term - 1] ?? 0, ends[term]];
      // A merged segment also lists terms whose rows are all outdated.
      if (start !== end)
        yield { key, postings: postings.subarray(start, end), numbers: items.subarray(start, end) };
    }
  }

  /** The bytes of the positions of these postings. */
  positionsOf(numbers: Uint32Array): Buffer {
    const [positions, ends] = [this.positions.all(), this.positionEnds.all()];
    let length = 0;
    for (const number of numbers) length += ends[number]! - (ends[number - 1] ?? 0);
    const bytes = Buffer.allocUnsafe(length);
    let to = 0;
    for (const number of numbers)
      for (let from = ends[number - 1] ?? 0; from < ends[number]!; from += 1) bytes[to++] = positions[from]!;
    return bytes;
  }
}

/** Sorts items stably by their numbers, which are below `count`; returns them with the end of each number's group. */
function sortByNumber(
  items: Iterable<number>,
  numbers: Uint32Array,
  count: number,
): { items: Uint32Array; ends: Uint32Array } {
  const ends = new Uint32Array(count);
  for (const number of numbers) ends[number]! += 1;
  for (let number = 0, end = 0; number < count; number += 1) {
    // During the pass this holds where each group begins; after it, where each ends.
    [ends[number], end] = [end, end + ends[number]!];
  }
  const sorted = new Uint32Array(numbers.length);
  for (const item of items) {
    const number = numbers[item]!;
    sorted[ends[number]!] = item;
    ends[number]! += 1;
  }
  return { items: sorted, ends };
}
