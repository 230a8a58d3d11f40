import {
  type Bitmap,
  countBits,
  countCommon,
  emptyBitmap,
  fill,
  readBits,
  roomForRows,
  subtract,
  uniteBytes,
} from '../format/bitmap.js';
import { fieldPrefix } from '../format/term-keys.js';
import { isDense, type Postings, postingsIn, readRows } from '../format/term-postings.js';
import type { ValueNumbers } from '../format/term-keys.js';

const ROWS = roomForRows();
const OTHERS = emptyBitmap();

/**
 * The values of one field by the rows of a segment, so that the rows of a search are counted without reading those of
 * other values. Values that many rows have are counted by their bitmaps instead.
 */
export class FieldValues {
  /** Key numbers of the values without a bitmap, and how many rows each has. */
  private readonly keys: Int32Array;
  private readonly sizes: Int32Array;
  /** Where the values of each row begin in {@link FieldValues.keysByRow}, then where the last ones end. */
  private readonly begins: Uint32Array;
  private readonly keysByRow: Int32Array;
  private readonly dense: { key: number; size: number; rows: Bitmap }[] = [];

  /** `blocks` contain the field's terms of a segment with this many rows. */
  constructor(
    blocks: readonly Buffer[],
    field: string,
    private readonly rows: number,
    numbers: ValueNumbers,
  ) {
    const prefix = fieldPrefix(field);
    const keyOf = ({ block, start, offset }: Postings): number =>
      numbers.of(block, start + prefix.length, offset);
    const sparse: Postings[] = [];
    for (const block of blocks)
      for (const term of postingsIn(block, prefix))
        if (isDense(term.rows)) {
          const bitmap = emptyBitmap();
          uniteBytes(bitmap, term.block, term.offset);
          this.dense.push({ key: keyOf(term), size: term.rows, rows: bitmap });
        } else sparse.push(term);
    this.keys = Int32Array.from(sparse, keyOf);
    this.sizes = Int32Array.from(sparse, (term) => term.rows);
    this.begins = beginsOf(sparse, rows);
    this.keysByRow = new Int32Array(this.begins[rows]!);
    const next = this.begins.slice();
    sparse.forEach((term, index) => {
      const key = this.keys[index]!;
      readRows(term, ROWS);
      for (let at = 0; at < term.rows; at += 1) {
        const row = ROWS[at]!;
        this.keysByRow[next[row]!] = key;
        next[row]! += 1;
      }
    });
  }

  /** Memory that it takes, in bytes. */
  get size(): number {
    const sparse = this.keys.length * 2 + this.begins.length + this.keysByRow.length;
    return sparse * Int32Array.BYTES_PER_ELEMENT + this.dense.length * emptyBitmap().byteLength;
  }

  /** Adds to `counts`, by key number, how many rows have each key, or how many of those in `among` unless it is null. */
  count(among: Bitmap | null, counts: Int32Array): void {
    for (const { key, size, rows } of this.dense)
      counts[key]! += among === null ? size : countCommon(rows, among);
    if (this.keys.length === 0) return;
    // Of more than half of the rows, those that are missing are subtracted from all.
    const isMost = among === null || countBits(among) * 2 > this.rows;
    if (isMost)
      for (let index = 0; index < this.keys.length; index += 1)
        counts[this.keys[index]!]! += this.sizes[index]!;
    if (among !== null) this.addSparse(isMost ? this.without(among) : among, isMost ? -1 : 1, counts);
  }

  private without(rows: Bitmap): Bitmap {
    subtract(fill(OTHERS, this.rows), rows);
    return OTHERS;
  }

  private addSparse(rows: Bitmap, weight: number, counts: Int32Array): void {
    const { begins, keysByRow } = this;
    const count = readBits(rows, ROWS);
    for (let index = 0; index < count; index += 1) {
      const row = ROWS[index]!;
      for (let at = begins[row]!; at < begins[row + 1]!; at += 1) counts[keysByRow[at]!]! += weight;
    }
  }
}

/** Where the terms of each row begin when they lie one after another, then where the last ones end. */
function beginsOf(terms: readonly Postings[], rows: number): Uint32Array {
  const begins = new Uint32Array(rows + 1);
  for (const term of terms) {
    readRows(term, ROWS);
    for (let index = 0; index < term.rows; index += 1) begins[ROWS[index]! + 1]! += 1;
  }
  for (let row = 0; row < rows; row += 1) begins[row + 1]! += begins[row]!;
  return begins;
}
