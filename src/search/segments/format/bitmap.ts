/** Maximum number of rows in a segment, so that a row number fits into 16 bits. */
export const SEGMENT_ROWS = 65_536;

const WORDS = SEGMENT_ROWS / 32;

/** A set of row numbers of one segment, one bit for each. */
export type Bitmap = Uint32Array;

/** The empty set. */
export const emptyBitmap = (): Bitmap => new Uint32Array(WORDS);

/** Replaces the contents of `bitmap` by all numbers below `rows`, and returns it. */
export function fill(bitmap: Bitmap, rows: number): Bitmap {
  bitmap.fill(0xffffffff, 0, rows >>> 5).fill(0, rows >>> 5);
  if (rows % 32 !== 0) bitmap[rows >>> 5] = 2 ** (rows % 32) - 1;
  return bitmap;
}

/** Adds a number. */
export function setBit(bitmap: Bitmap, row: number): void {
  bitmap[row >>> 5]! |= 1 << (row & 31);
}

/** Removes a number. */
export function clearBit(bitmap: Bitmap, row: number): void {
  bitmap[row >>> 5]! &= ~(1 << (row & 31));
}

/** Whether a number is in the set. */
export function hasBit(bitmap: Bitmap, row: number): boolean {
  return (bitmap[row >>> 5]! & (1 << (row & 31))) !== 0;
}

/** Removes from `bitmap` everything that is not in `other`. */
export function intersect(bitmap: Bitmap, other: Bitmap): void {
  for (let word = 0; word < WORDS; word += 1) bitmap[word]! &= other[word]!;
}

/** Adds the contents of `other` to `bitmap`. */
export function unite(bitmap: Bitmap, other: Bitmap): void {
  for (let word = 0; word < WORDS; word += 1) bitmap[word]! |= other[word]!;
}

/** Removes the contents of `other` from `bitmap`. */
export function subtract(bitmap: Bitmap, other: Bitmap): void {
  for (let word = 0; word < WORDS; word += 1) bitmap[word]! &= ~other[word]!;
}

/** How many numbers are in the set. */
export const countBits = (bitmap: Bitmap): number => countCommon(bitmap, bitmap);

/** How many numbers are in both sets. */
export function countCommon(bitmap: Bitmap, other: Bitmap): number {
  let count = 0;
  for (let word = 0; word < WORDS; word += 1) {
    let bits = bitmap[word]! & other[word]!;
    if (bits === 0) continue;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Whether the set has no numbers. */
export const isEmpty = (bitmap: Bitmap): boolean => bitmap.every((bits) => bits === 0);

/**
 * A buffer for the numbers of one set. Each module that reads sets keeps its own: allocating this much for every call
 * burdens the garbage collector, and a callback for each number is slow until it is compiled.
 */
export const roomForRows = (): Uint16Array => new Uint16Array(SEGMENT_ROWS);

/** Writes the numbers of the set into `room` in ascending order and returns their count. */
export function readBits(bitmap: Bitmap, room: Uint16Array): number {
  let count = 0;
  for (let word = 0; word < WORDS; word += 1)
    for (let bits = bitmap[word]!; bits !== 0; bits &= bits - 1) {
      room[count] = (word << 5) | (31 - Math.clz32(bits & -bits));
      count += 1;
    }
  return count;
}

/** The bytes of a set, little-endian. */
export function bitmapBytes(bitmap: Bitmap): Buffer {
  const bytes = Buffer.allocUnsafe(SEGMENT_ROWS / 8);
  for (let word = 0; word < WORDS; word += 1) bytes.writeUInt32LE(bitmap[word]!, word * 4);
  return bytes;
}

/** The set that {@link bitmapBytes} wrote. */
export function decodeBitmap(bytes: Buffer): Bitmap {
  const bitmap = emptyBitmap();
  uniteBytes(bitmap, bytes);
  return bitmap;
}

/** Adds to `bitmap` the set that {@link bitmapBytes} wrote, read from `bytes` at `offset`. */
export function uniteBytes(bitmap: Bitmap, bytes: Buffer, offset = 0): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  for (let word = 0; word < WORDS; word += 1) bitmap[word]! |= view.getUint32(word * 4, true);
}
