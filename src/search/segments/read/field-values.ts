import type { EventLoopTurn } from '../../../common/event-loop-turn.js';
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
/** Number of terms between two looks at the time. */
const TERMS_PER_LOOK = 1_000;

/**
 * The values of one field by the rows of a segment, so that the rows of a search are counted without reading those of
 * other values. Values that many rows have are counted by their bitmaps instead.
 */
export class FieldValues {
  private constructor(
    private readonly rows: number,
    private readonly dense: readonly { key: number; size: number; rows: Bitmap }[],
    /** Key numbers of the values without a bitmap, and how many rows each has. */
    private readonly keys: Int32Array,
    private readonly sizes: Int32Array,
    /** Where the values of each row begin in `keysByRow`, then where the last ones end. */
    private readonly begins: Uint32Array,
    private readonly keysByRow: Int32Array,
  ) {}

  /** Parses the blocks with the field's terms of a segment with this many rows, in slices. */
  static async parse(
    blocks: readonly Buffer[],
    field: string,
    rows: number,
    numbers: ValueNumbers,
    turn: EventLoopTurn,
  ): Promise<FieldValues> {
    const prefix = fieldPrefix(field);
    const dense: { key: number; size: number; rows: Bitmap }[] = [];
    const sparse: Postings[] = [];
    const keys: number[] = [];
    for (const block of blocks) {
      for (const term of postingsIn(block, prefix)) {
        const key = numbers.of(term.block, term.start + prefix.length, term.offset);
        if (isDense(term.rows)) {
          const bitmap = emptyBitmap();
          uniteBytes(bitmap, term.block, term.offset);
          dense.push({ key, size: term.rows, rows: bitmap });
        } else {
          sparse.push(term);
          keys.push(key);
        }
      }
      if (turn.isOver) await turn.next();
    }
    const begins = beginsOf(sparse, rows);
    const keysByRow = new Int32Array(begins[rows]!);
    const next = begins.slice();
    for (const [index, term] of sparse.entries()) {
      readRows(term, ROWS);
      for (let at = 0; at < term.rows; at += 1) {
        const row = ROWS[at]!;
        keysByRow[next[row]!] = keys[index]!;
        next[row]! += 1;
      }
      if (index % TERMS_PER_LOOK === 0 && turn.isOver) await turn.next();
    }
    const sizes = Int32Array.from(sparse, (term) => term.rows);
    return new FieldValues(rows, dense, Int32Array.from(keys), sizes, begins, keysByRow);
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
