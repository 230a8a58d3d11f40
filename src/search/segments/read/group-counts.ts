import type { EventLoopTurn } from '../../../common/event-loop-turn.js';
import type { FieldRule } from '../../searched-table.js';
import { BestRows } from './best-rows.js';
import type { Bitmap } from '../format/bitmap.js';
import type { FieldValues } from './field-values.js';
import type { ValueNumbers } from '../format/term-keys.js';

const NO_KEY = -1;
/** Number of values between two looks at the time. */
const VALUES_PER_LOOK = 4_096;

/** A value and how many rows have it. */
export interface ValueCount {
  /** The value as its rows are found: a name by its key. */
  key: string;
  /** The value as it is shown. */
  value: string;
  count: number;
}

/** Compares texts bytewise, with the same result on every machine. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Counts rows by value; spellings of a name count as one. */
export class GroupCounts {
  /** By the number of the key. */
  private counts = new Int32Array(0);

  constructor(
    private readonly type: FieldRule['type'],
    readonly numbers: ValueNumbers,
  ) {}

  /** Adds the rows of a segment, or only those in `among` unless it is null. The values have these numbers. */
  addSegment(values: FieldValues, among: Bitmap | null): void {
    values.count(among, this.roomForKeys());
  }

  /** Adds `count` rows with a value. All spellings of a name have its key as their value. */
  add(value: string, spelling: string, count: number): void {
    const key = this.numbers.ofText(value, spelling);
    this.roomForKeys()[key]! += count;
  }

  /** Returns a function that finds how many rows have a value; 0 when none has. */
  byValue(): (value: string) => number {
    const sums = this.sums();
    return (value) => sums[this.numbers.findValue(value)] ?? 0;
  }

  /** The most frequent values, at most `limit`; ties in byte order. Looks at all values, in slices. */
  async top(limit: number, turn: EventLoopTurn): Promise<ValueCount[]> {
    const sums = this.sums();
    // Only values with at least this many rows can be among the first.
    const least = await leastOfFirst(sums, limit, turn);
    const shown = await this.shownKeys(sums, least, turn);
    const inOrder = (a: number, b: number): number =>
      sums[b]! - sums[a]! || Buffer.compare(this.bytesOf(shown[a]!), this.bytesOf(shown[b]!));
    let first: number[] = [];
    let last: number | null = null;
    for (let value = 0; value < sums.length; value += 1) {
      if (shown[value]! !== NO_KEY && (last === null || inOrder(value, last) < 0)) first.push(value);
      if (first.length >= 2 * limit) {
        first = first.sort(inOrder).slice(0, limit);
        last = first.at(-1)!;
        // Sorting takes longer than looking at values.
        if (turn.isOver) await turn.next();
      }
      if (value % VALUES_PER_LOOK === 0 && turn.isOver) await turn.next();
    }
    return first
      .sort(inOrder)
      .slice(0, limit)
      .map((value) => ({
        key: this.numbers.valueAt(value),
        value: this.bytesOf(shown[value]!).toString(),
        count: sums[value]!,
      }));
  }

  /** By value with at least `least` rows: the key that shows it, which is its first spelling in byte order. */
  private async shownKeys(sums: Int32Array, least: number, turn: EventLoopTurn): Promise<Int32Array> {
    const shown = new Int32Array(sums.length).fill(NO_KEY);
    for (let key = 0; key < this.counts.length; key += 1) {
      if (key % VALUES_PER_LOOK === 0 && turn.isOver) await turn.next();
      if (this.counts[key] === 0) continue;
      const value = this.numbers.valueOf(key);
      if (sums[value]! < least) continue;
      const before = shown[value]!;
      if (before === NO_KEY || Buffer.compare(this.bytesOf(key), this.bytesOf(before)) < 0)
        shown[value] = key;
    }
    return shown;
  }

  /** The bytes of a key's shown form: its spelling of a name, otherwise its value. */
  private bytesOf(key: number): Buffer {
    return this.type === 'name' ? this.numbers.detailBytes(key) : this.numbers.valueBytes(key);
  }

  private roomForKeys(): Int32Array {
    if (this.counts.length < this.numbers.size) {
      const larger = new Int32Array(Math.max(this.numbers.size, this.counts.length * 2));
      larger.set(this.counts);
      this.counts = larger;
    }
    return this.counts;
  }

  /** Counts by the number of the value. */
  private sums(): Int32Array {
    const sums = new Int32Array(this.numbers.valueCount);
    for (let key = 0; key < this.counts.length; key += 1)
      if (this.counts[key] !== 0) sums[this.numbers.valueOf(key)]! += this.counts[key]!;
    return sums;
  }
}

/** The number of rows of the last of the first values; at least 1. */
async function leastOfFirst(sums: Int32Array, limit: number, turn: EventLoopTurn): Promise<number> {
  const best = new BestRows(limit, true);
  let least = 0;
  for (let value = 0; value < sums.length; value += 1) {
    if (sums[value]! > least) {
      best.add(value, sums[value]!);
      if (best.rows().length === limit) least = best.rows()[0]!.score;
    }
    if (value % VALUES_PER_LOOK === 0 && turn.isOver) await turn.next();
  }
  return Math.max(1, least);
}
