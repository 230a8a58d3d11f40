import { firstIndex } from '../../../common/collections.js';
import { SEGMENT_ROWS } from './bitmap.js';
import { type Range, rangeOf } from './range.js';

/** Number of the block that describes the other blocks of a segment. */
export const DIRECTORY = 0;

/** Size of a block of terms in bytes; a block with a single term may be larger. */
export const TERM_BLOCK_BYTES = 16_384;

/** The contents of a segment's block 0, which describes the others. */
export interface Directory {
  /** Number of the block with the ids of the rows. */
  ids: number;
  /** Number of the block of each column. */
  columns: Record<string, number>;
  /** The sum of each column. */
  sums: Record<string, number>;
  /** The range of each column. */
  ranges: Record<string, Range>;
  /**
   * Number of the first block of terms. The other term blocks follow, then for each of them a block with the positions
   * of its lexemes.
   */
  terms: number;
  /** The first key of each block of terms, in ascending order. */
  firstKeys: string[];
}

/** The directory as bytes. */
export const encodeDirectory = (directory: Directory): Buffer => Buffer.from(JSON.stringify(directory));

/** The directory that {@link encodeDirectory} wrote. */
export const decodeDirectory = (bytes: Buffer): Directory => JSON.parse(bytes.toString()) as Directory;

/**
 * Numbers of the term blocks that can contain keys beginning with `prefix`, or the key `prefix` only when `isWhole`.
 */
export function termBlocks({ firstKeys, terms }: Directory, prefix: string, isWhole = false): number[] {
  // The first block that begins at or after the prefix.
  let next = firstIndex(firstKeys.length, (block) => firstKeys[block]! >= prefix);
  const blocks = next > 0 ? [terms + next - 1] : [];
  const canHold = (key: string): boolean => (isWhole ? key === prefix : key.startsWith(prefix));
  for (; next < firstKeys.length && canHold(firstKeys[next]!); next += 1) blocks.push(terms + next);
  return blocks;
}

/** A column's numbers as bytes, in the order of rows. */
export function encodeColumn(values: readonly number[]): Buffer {
  return Buffer.from(new Float64Array(values).buffer);
}

/**
 * A column's numbers by row. Reading numbers here and there mostly waits for memory, so they are kept in the smallest
 * form that has all of them.
 */
export type Column = Uint16Array | Int32Array | Float64Array;

const SMALL_COLUMNS = [
  [Uint16Array, 0, 2 ** 16 - 1],
  [Int32Array, -(2 ** 31), 2 ** 31 - 1],
] as const;

/** The numbers that {@link encodeColumn} wrote. */
export function decodeColumn(bytes: Buffer): Column {
  const numbers = doublesIn(bytes);
  const { lowest, highest } = rangeOf(numbers);
  for (const [Small, least, most] of SMALL_COLUMNS)
    if (lowest >= least && highest <= most && numbers.every(Number.isInteger)) return new Small(numbers);
  return numbers;
}

function doublesIn(bytes: Buffer): Float64Array {
  // A slice of a larger buffer may be unaligned, so it is copied.
  const { buffer, byteOffset, length } =
    bytes.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0 ? bytes : new Uint8Array(bytes);
  return new Float64Array(buffer, byteOffset, length / Float64Array.BYTES_PER_ELEMENT);
}

/** The ids of a segment in ascending order. */
export class SegmentIds {
  private readonly view: DataView;
  /** Created by the first search for an id; many evaluations never need it. */
  private filter: IdFilter | null = null;

  private constructor(
    private readonly bytes: Buffer,
    readonly count: number,
  ) {
    this.view = viewOf(bytes);
  }

  /** Bytes: the number of ids, where each ends, and their texts. */
  static encode(ids: readonly string[]): Buffer {
    const texts = ids.map((id) => Buffer.from(id));
    const head = Buffer.allocUnsafe(4 + ids.length * 4);
    head.writeUInt32LE(ids.length, 0);
    let end = 0;
    texts.forEach((text, row) => {
      end += text.length;
      head.writeUInt32LE(end, 4 + row * 4);
    });
    return Buffer.concat([head, ...texts]);
  }

  /** Decodes the bytes of {@link SegmentIds.encode}. Throws for malformed bytes. */
  static decode(bytes: Buffer): SegmentIds {
    const count = bytes.readUInt32LE(0);
    if (count > SEGMENT_ROWS) throw new Error(`A segment of ${count} rows`);
    return new SegmentIds(bytes, count);
  }

  /** The id of a row. */
  at(row: number): string {
    return this.bytes.toString('utf8', this.start(row), this.start(row + 1));
  }

  /** False when no id lies from `first` to `last`. */
  mayHaveBetween(first: string, last: string): boolean {
    return this.count > 0 && this.at(0) <= last && this.at(this.count - 1) >= first;
  }

  /** The row of an id, whose hash comes from {@link hashId}; -1 when there is none. */
  find(id: string, hash: number): number {
    this.filter ??= this.filterOfAll();
    if (!this.filter.mayHave(hash)) return -1;
    let [low, high] = [0, this.count - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.at(middle);
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** How many ids are less than an id, or also equal to it when `isIncluded`. */
  placeOf(id: string, isIncluded: boolean): number {
    return firstIndex(this.count, (row) => {
      const found = this.at(row);
      return isIncluded ? found > id : found >= id;
    });
  }

  /** Where the id of a row begins, which is where the previous one ends. */
  private start(row: number): number {
    return 4 + this.count * 4 + (row === 0 ? 0 : this.view.getUint32(row * 4, true));
  }

  private filterOfAll(): IdFilter {
    const filter = new IdFilter(this.count);
    let start = this.start(0);
    for (let row = 0; row < this.count; row += 1) {
      const end = this.start(row + 1);
      filter.add(hashOf(this.view, start, end));
      start = end;
    }
    return filter;
  }
}

/** A Bloom filter over hashes, which excludes most ids that were not added. */
class IdFilter {
  private readonly bits: Uint8Array;
  private readonly mask: number;

  constructor(count: number) {
    let bits = 1_024;
    while (bits < count * 16) bits *= 2;
    this.bits = new Uint8Array(bits / 8);
    this.mask = bits - 1;
  }

  add(hash: number): void {
    this.mark(hash & this.mask);
    this.mark((hash >>> 11) & this.mask);
  }

  mayHave(hash: number): boolean {
    return this.isMarked(hash & this.mask) && this.isMarked((hash >>> 11) & this.mask);
  }

  private mark(bit: number): void {
    this.bits[bit >>> 3]! |= 1 << (bit & 7);
  }

  private isMarked(bit: number): boolean {
    return (this.bits[bit >>> 3]! & (1 << (bit & 7))) !== 0;
  }
}

/** The hash of an id for {@link SegmentIds.find}. */
export function hashId(id: string): number {
  const bytes = Buffer.from(id);
  return hashOf(viewOf(bytes), 0, bytes.length);
}

/** Reading numbers from a view takes a quarter of the time of the `Buffer` methods. */
const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Hashes the last eight bytes, where sequential ids differ. */
function hashOf(view: DataView, start: number, end: number): number {
  let hash = 0;
  if (end - start >= 8)
    hash = Math.imul(view.getInt32(end - 8, true), 0x85ebca6b) ^ view.getInt32(end - 4, true);
  else for (let at = start; at < end; at += 1) hash = Math.imul(hash, 0x01000193) ^ view.getUint8(at);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
