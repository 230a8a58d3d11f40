import { firstIndex } from '../../../common/collections.js';
import { bitAt, type Bitmap } from './bitmap.js';
import { splitKey } from './term-keys.js';
import { countDenseIn, isDense, keyOf, postingsIn, readRows, termAt } from './term-postings.js';
import type { ValueNumbers } from './value-numbers.js';

/**
 * Called with the number of a value, with its spelling or its ordinal among equal values of a list, and with how many
 * rows have it.
 */
export type VisitValue = (number: number, detail: string, rows: number) => void;

const NO_NUMBER = -1;

/**
 * The values of fields in a block of terms. Caches their offsets, their rows and their value numbers: facets visit all
 * values of a field, and parsing them each time took most of the time of a facet.
 */
export class ValueBlock {
  /** Offset of each key. */
  private readonly starts: Uint32Array;
  /**
   * Where the rows of each value begin in {@link ValueBlock.rows}, then where the last ones end; a value with a bitmap
   * has no rows there.
   */
  private readonly begins: Uint32Array;
  private readonly rows: Uint16Array;
  private readonly numbers: Int32Array;
  private readonly details: string[];
  /** Id of the {@link ValueNumbers} that assigned the numbers. */
  private numberedBy: symbol | null = null;

  constructor(private readonly block: Buffer) {
    const terms = [...postingsIn(block, '')];
    this.starts = Uint32Array.from(terms, ({ start }) => start);
    this.begins = new Uint32Array(terms.length + 1);
    terms.forEach((term, index) => {
      this.begins[index + 1] = this.begins[index]! + (isDense(term.rows) ? 0 : term.rows);
    });
    this.rows = new Uint16Array(this.begins.at(-1)!);
    terms.forEach((term, index) => {
      if (!isDense(term.rows)) readRows(term, this.rows.subarray(this.begins[index]));
    });
    this.numbers = new Int32Array(terms.length);
    this.details = new Array<string>(terms.length).fill('');
  }

  /**
   * Counts the rows of each value whose key begins with `prefix`, or only those in `among` unless it is null. Values
   * without rows are skipped.
   */
  count(prefix: string, numbers: ValueNumbers, among: Bitmap | null, visit: VisitValue): void {
    if (this.numberedBy !== numbers.id) {
      this.numbers.fill(NO_NUMBER);
      this.numberedBy = numbers.id;
    }
    const wanted = Buffer.from(prefix);
    const { length } = this.starts;
    const end = firstIndex(length, (term) => this.compare(term, wanted) > 0);
    for (let term = firstIndex(length, (at) => this.compare(at, wanted) >= 0); term < end; term += 1) {
      const count = this.countOf(term, among);
      if (count === 0) continue;
      if (this.numbers[term] === NO_NUMBER) {
        const { value, detail } = splitKey(prefix, keyOf(termAt(this.block, this.starts[term]!)));
        this.numbers[term] = numbers.of(value);
        this.details[term] = detail;
      }
      visit(this.numbers[term]!, this.details[term]!, count);
    }
  }

  private countOf(term: number, among: Bitmap | null): number {
    const begin = this.begins[term]!;
    const end = this.begins[term + 1]!;
    if (begin === end) {
      const found = termAt(this.block, this.starts[term]!);
      return among === null ? found.rows : countDenseIn(among, found);
    }
    if (among === null) return end - begin;
    let count = 0;
    for (let index = begin; index < end; index += 1) count += bitAt(among, this.rows[index]!);
    return count;
  }

  /** 0 if the key of a term begins with a prefix, -1 if it sorts before, 1 if it sorts after. */
  private compare(term: number, prefix: Buffer): number {
    const { start, offset } = termAt(this.block, this.starts[term]!);
    return this.block.compare(prefix, 0, prefix.length, start, Math.min(offset, start + prefix.length));
  }
}
