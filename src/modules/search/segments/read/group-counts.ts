import type { FieldRule } from '../../searched-table.js';
import { BestRows } from './best-rows.js';
import type { Bitmap } from '../format/bitmap.js';
import type { FieldValues } from './field-values.js';
import type { ValueNumbers } from '../format/term-keys.js';

/** A value and how many rows have it. */
export interface ValueCount {
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

  /** Adds `count` rows with a value. All spellings of a name have its lower case as their value. */
  add(value: string, spelling: string, count: number): void {
    const key = this.numbers.ofText(value, spelling);
    this.roomForKeys()[key]! += count;
  }

  /** Returns a function that finds how many rows have a value; 0 when none has. */
  byValue(): (value: string) => number {
    const sums = this.sums();
    return (value) => sums[this.numbers.findValue(value)] ?? 0;
  }

  /** The most frequent values, at most `limit`; ties in byte order. */
  top(limit: number): ValueCount[] {
    const sums = this.sums();
    const best = new BestRows(limit, true);
    for (let value = 0; value < sums.length; value += 1) if (sums[value]! > 0) best.add(value, sums[value]!);
    // When there are many values, makes texts of only those that can be among the first.
    const least = Math.max(1, best.rows()[0]?.score ?? 1);
    const values = new Map<number, string>();
    for (let key = 0; key < this.counts.length; key += 1) {
      if (this.counts[key] === 0) continue;
      const value = this.numbers.valueOf(key);
      if (sums[value]! < least) continue;
      const text = this.type === 'name' ? this.numbers.detailAt(key) : this.numbers.valueAt(value);
      const first = values.get(value);
      if (first === undefined || compareBytes(text, first) < 0) values.set(value, text);
    }
    return [...values]
      .map(([value, text]) => ({ value: text, count: sums[value]! }))
      .sort((a, b) => b.count - a.count || compareBytes(a.value, b.value))
      .slice(0, limit);
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
