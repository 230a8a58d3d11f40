import {
  type Bitmap,
  bitmapBytes,
  emptyBitmap,
  hasBit,
  roomForRows,
  SEGMENT_ROWS,
  setBit,
  uniteBytes,
} from './bitmap.js';
import { isWordKey, wordKey } from './term-keys.js';

/** Whether a term with this many rows has a bitmap, which is then smaller than a list of 16-bit numbers. */
export const isDense = (rows: number): boolean => rows >= SEGMENT_ROWS / 16;

const BITMAP_BYTES = SEGMENT_ROWS / 8;
const HEADER_BYTES = 4;

/** The rows of a term within a block of terms. */
export interface Postings {
  /** Number of rows of the term. */
  rows: number;
  block: Buffer;
  /** Offset of the key in the block. */
  start: number;
  /** Offset at which the key ends and the rows begin. */
  offset: number;
  /** Number of lexemes in the block before this term. */
  lexeme: number;
}

/** The key of a term. */
export const keyOf = ({ block, start, offset }: Postings): string => block.toString('utf8', start, offset);

/** A row and its occurrences share one number, so that a list of postings is a sortable array of small integers. */
const OCCURRENCE_BITS = 8;

/** Packs a row and its occurrences (one byte) into one number; greater rows give greater numbers. */
export const packPosting = (row: number, occurrences: number): number =>
  (row << OCCURRENCE_BITS) | occurrences;

/** The row of a number from {@link packPosting}. */
export const packedRow = (posting: number): number => posting >>> OCCURRENCE_BITS;

/** The occurrences of a number from {@link packPosting}. */
export const packedOccurrences = (posting: number): number => posting & ((1 << OCCURRENCE_BITS) - 1);

/**
 * The bytes of a term. `postings` are numbers from {@link packPosting} in ascending order. Layout: length of the key
 * and number of rows minus one, both 16 bits; key; rows as a bitmap or as 16-bit numbers; for lexemes, a byte of
 * occurrences for each row.
 */
export function encodePostings(key: string, postings: Uint32Array): Buffer {
  const name = Buffer.from(key);
  const hasBitmap = isDense(postings.length);
  const head = Buffer.allocUnsafe(HEADER_BYTES + name.length + (hasBitmap ? 0 : postings.length * 2));
  head.writeUInt16LE(name.length, 0);
  head.writeUInt16LE(postings.length - 1, 2);
  name.copy(head, HEADER_BYTES);
  const tail = isWordKey(key) ? Buffer.from(postings.map(packedOccurrences)) : Buffer.alloc(0);
  if (hasBitmap) {
    const bitmap = emptyBitmap();
    for (const posting of postings) setBit(bitmap, packedRow(posting));
    return Buffer.concat([head, bitmapBytes(bitmap), tail]);
  }
  postings.forEach((posting, index) =>
    head.writeUInt16LE(packedRow(posting), HEADER_BYTES + name.length + index * 2),
  );
  return Buffer.concat([head, tail]);
}

/** The terms of a block whose keys begin with `prefix`, or the term with the key `prefix` only when `isWhole`. */
export function* postingsIn(block: Buffer, prefix: string, isWhole = false): Generator<Postings> {
  const wanted = Buffer.from(prefix);
  let [lexeme, isFound] = [0, false];
  for (let at = 0; at < block.length;) {
    const start = at + HEADER_BYTES;
    const offset = start + uint16At(block, at);
    const rows = uint16At(block, at + 2) + 1;
    const isLongEnough = isWhole ? offset - start === wanted.length : offset - start >= wanted.length;
    if (isLongEnough && hasBytes(block, start, wanted)) {
      isFound = true;
      yield { rows, block, start, offset, lexeme };
    } else if (isFound) return; // Terms are sorted by key, so the wanted ones follow each other.
    const isWord = hasBytes(block, start, WORD_PREFIX);
    at = offset + rowBytes(rows) + (isWord ? rows : 0);
    if (isWord) lexeme += 1;
  }
}

/** A block can contain terms of both kinds, and only those of lexemes have occurrences. */
const WORD_PREFIX = Buffer.from(wordKey(''));

/** For a few bytes this takes a fraction of the time of the `Buffer` methods. */
const uint16At = (block: Buffer, at: number): number => block[at]! | (block[at + 1]! << 8);

function hasBytes(block: Buffer, start: number, wanted: Buffer): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (block[start + at] !== wanted[at]) return false;
  return true;
}

const rowBytes = (rows: number): number => (isDense(rows) ? BITMAP_BYTES : rows * 2);

const ROWS = roomForRows();

/** Bits of an occurrence byte that count occurrences in a field. */
const OCCURRENCES_IN = { title: 0xf0, text: 0x0f };

/** Adds the rows of a term to a set, or only those with an occurrence in a field. */
export function unitePostings(
  bitmap: Bitmap,
  postings: Postings,
  field: 'title' | 'text' | null = null,
): void {
  if (field === null && isDense(postings.rows)) {
    uniteBytes(bitmap, postings.block, postings.offset);
    return;
  }
  const { block, rows } = postings;
  const occurrences = occurrencesAt(postings);
  const bits = field === null ? 0 : OCCURRENCES_IN[field];
  readRows(postings, ROWS);
  for (let index = 0; index < rows; index += 1)
    if (field === null || (block[occurrences + index]! & bits) > 0) setBit(bitmap, ROWS[index]!);
}

/** Writes the rows of a term into `room`, in ascending order. */
export function readRows({ rows, block, offset }: Postings, room: Uint16Array): void {
  if (!isDense(rows)) {
    for (let index = 0; index < rows; index += 1) room[index] = uint16At(block, offset + index * 2);
    return;
  }
  let index = 0;
  for (let byte = 0; byte < BITMAP_BYTES; byte += 1)
    for (let bits = block[offset + byte]!; bits !== 0; bits &= bits - 1) {
      room[index] = (byte << 3) | (31 - Math.clz32(bits & -bits));
      index += 1;
    }
}

/** Writes the rows of a term that are in a set into `room`, in ascending order, and returns their count. */
export function readRowsIn(bitmap: Bitmap, postings: Postings, room: Uint16Array): number {
  readRows(postings, room);
  let count = 0;
  for (let index = 0; index < postings.rows; index += 1) {
    const row = room[index]!;
    if (!hasBit(bitmap, row)) continue;
    room[count] = row;
    count += 1;
  }
  return count;
}

/**
 * Offset of a lexeme's occurrences in its block: a byte for each row in row order, four bits for the title and four for
 * the rest.
 */
export const occurrencesAt = ({ rows, offset }: Postings): number => offset + rowBytes(rows);

/** Bytes of the length that precedes the positions of a lexeme. */
const LENGTH_BYTES = 4;

/** Where bytes are appended one at a time. */
interface NumberSink {
  push(byte: number): void;
}

/** Packs a position of a lexeme in a row into one number; later positions give greater numbers. */
export const packPosition = (position: number, inTitle: boolean): number => (position << 1) | Number(inTitle);

/** The position that {@link packPosition} was given. */
export const placeOf = (position: number): number => position >>> 1;

/** Whether a packed position is in the title. */
export const isInTitle = (position: number): boolean => (position & 1) === 1;

/**
 * Appends the bytes of a lexeme's positions in one row: the differences between ascending positions as variable-length
 * integers of seven bits a byte, the last one marked.
 */
export function appendPositions(positions: readonly number[], bytes: NumberSink): void {
  let before = 0;
  for (let index = 0; index < positions.length; index += 1) {
    const isLast = index === positions.length - 1;
    let rest = ((positions[index]! - before) << 1) | Number(isLast);
    before = positions[index]!;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  }
}

/** The bytes of a lexeme's positions in all its rows: their length, then the positions row after row. */
export function encodePositions(bytes: Uint8Array): Buffer {
  const head = Buffer.allocUnsafe(LENGTH_BYTES);
  head.writeUInt32LE(bytes.length, 0);
  return Buffer.concat([head, bytes]);
}

/** Reads the positions of one lexeme, row by row, in the order of its postings. */
export class PositionReader {
  private at: number;

  /** `lexeme` is the index of the lexeme in its block of terms. */
  constructor(
    private readonly block: Buffer,
    lexeme: number,
  ) {
    let start = 0;
    for (let before = 0; before < lexeme; before += 1) start += LENGTH_BYTES + block.readUInt32LE(start);
    this.at = start + LENGTH_BYTES;
  }

  /** The positions of the next row, in ascending order. */
  read(): number[] {
    const positions: number[] = [];
    for (let position = 0, isLast = false; !isLast;) {
      let rest = 0;
      for (let shift = 0, hasMore = true; hasMore; shift += 7) {
        const byte = this.block[this.at++]!;
        rest |= (byte & 0x7f) << shift;
        hasMore = byte > 0x7f;
      }
      position += rest >>> 1;
      isLast = (rest & 1) === 1;
      positions.push(position);
    }
    return positions;
  }

  /** Appends the bytes of the next row's positions, as {@link appendPositions} writes them. */
  copyTo(bytes: NumberSink): void {
    const start = this.at;
    this.skip();
    for (let at = start; at < this.at; at += 1) bytes.push(this.block[at]!);
  }

  /** Skips the positions of the next row. */
  skip(): void {
    for (let isLast = false; !isLast;) {
      isLast = (this.block[this.at]! & 1) === 1;
      while (this.block[this.at++]! > 0x7f);
    }
  }
}
