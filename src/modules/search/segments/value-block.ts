import { firstIndex } from '../../../common/first-index.js';
import type { Bitmap } from './bitmap.js';
import { splitKey } from './term-keys.js';
import { countRowsIn, keyOf, postingsIn, termAt } from './term-postings.js';

/** Called with a value, with its spelling or its number among equal values of a list, and with how many rows have it. */
export type VisitValue = (value: string, detail: string, rows: number) => void;

/**
 * The values of fields in a block of terms. Where they are is kept, and those that were counted: facets look at all values of a
 * field, and reading these anew took most of their time.
 */
export class ValueBlock {
  /** Where each key begins. */
  private readonly starts: Uint32Array;
  private readonly values: (string | undefined)[];
  private readonly details: (string | undefined)[];

  constructor(private readonly block: Buffer) {
    this.starts = Uint32Array.from(postingsIn(block, ''), ({ start }) => start);
    this.values = new Array<undefined>(this.starts.length);
    this.details = new Array<undefined>(this.starts.length);
  }

  /** Counts the rows of each value whose key begins with `prefix`, those in `among` alone unless it is null; values without any are left out. */
  count(prefix: string, among: Bitmap | null, visit: VisitValue): void {
    const wanted = Buffer.from(prefix);
    const { length } = this.starts;
    const end = firstIndex(length, (term) => this.compare(term, wanted) > 0);
    for (let term = firstIndex(length, (at) => this.compare(at, wanted) >= 0); term < end; term += 1) {
      const found = termAt(this.block, this.starts[term]!);
      const count = among === null ? found.rows : countRowsIn(among, found);
      if (count === 0) continue;
      if (this.values[term] === undefined) this.keep(term, splitKey(prefix, keyOf(found)));
      visit(this.values[term]!, this.details[term]!, count);
    }
  }

  private keep(term: number, { value, detail }: { value: string; detail: string }): void {
    this.values[term] = value;
    // Mostly they are equal, and one text takes half of the memory of two.
    this.details[term] = detail === value ? value : detail;
  }

  /** 0 if the key of a term begins with a prefix, -1 if it is before, 1 if it is after. */
  private compare(term: number, prefix: Buffer): number {
    const { start, offset } = termAt(this.block, this.starts[term]!);
    return this.block.compare(prefix, 0, prefix.length, start, Math.min(offset, start + prefix.length));
  }
}
