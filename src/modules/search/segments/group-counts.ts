import type { FacetRule } from '../searched-table.js';
import { BestRows } from './best-rows.js';
import type { ValueNumbers } from './value-numbers.js';

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
  /** By the number of the value. */
  private readonly counts: number[] = [];
  /** The first spelling of a name in byte order. */
  private readonly spellings: (string | null)[] = [];

  constructor(
    private readonly kind: FacetRule['kind'],
    readonly numbers: ValueNumbers,
  ) {}

  /** Adds `count` rows to the value with this number. All spellings of a name share the number of its lower case. */
  add(number: number, spelling: string, count: number): void {
    // Filled one by one, because an array with gaps is many times slower.
    while (this.counts.length <= number) this.counts.push(0);
    this.counts[number]! += count;
    if (this.kind !== 'name') return;
    while (this.spellings.length <= number) this.spellings.push(null);
    const first = this.spellings[number]!;
    if (first === null || (first !== spelling && compareBytes(spelling, first) < 0))
      this.spellings[number] = spelling;
  }

  /** How many rows have a value; 0 when none has. */
  countOf(value: string): number {
    return this.counts[this.numbers.of(value)] ?? 0;
  }

  /** The most frequent values, at most `limit`; ties in byte order. */
  top(limit: number): ValueCount[] {
    const best = new BestRows(limit, true);
    this.counts.forEach((count, number) => best.add(number, count));
    // When there are many values, sorts only those that can be among the first.
    const least = Math.max(1, best.rows()[0]?.score ?? 1);
    const values: ValueCount[] = [];
    this.counts.forEach((count, number) => {
      if (count >= least) values.push({ value: this.spellings[number] ?? this.numbers.at(number), count });
    });
    return values.sort((a, b) => b.count - a.count || compareBytes(a.value, b.value)).slice(0, limit);
  }
}
