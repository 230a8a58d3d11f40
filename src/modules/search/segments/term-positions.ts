const LENGTH_BYTES = 4;
/** A position takes three bytes at most. */
const MOST_BYTES = 3;

/** One number for a place of a lexeme in a row; greater for later places. */
export const packPosition = (position: number, inTitle: boolean): number => (position << 1) | Number(inTitle);

/** The place that {@link packPosition} was given. */
export const placeOf = (position: number): number => position >>> 1;

/** Whether a position is in the title. */
export const isInTitle = (position: number): boolean => (position & 1) === 1;

/**
 * The bytes of a lexeme's positions in all its rows: their length, then for each row the differences of its positions in
 * ascending order, the last one marked, in as few bytes of seven bits as possible. `counted` has for each row the number of its
 * positions and then these; `starts` says where in it the rows begin, in the order in which they are written.
 */
export function encodePositions(counted: readonly number[], starts: Iterable<number>): Buffer {
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + counted.length * MOST_BYTES);
  let end = LENGTH_BYTES;
  for (const start of starts) {
    const count = counted[start]!;
    let before = 0;
    for (let at = start + 1; at <= start + count; at += 1) {
      let rest = ((counted[at]! - before) << 1) | Number(at === start + count);
      before = counted[at]!;
      for (; rest > 0x7f; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80;
      bytes[end++] = rest;
    }
  }
  bytes.writeUInt32LE(end - LENGTH_BYTES, 0);
  return bytes.subarray(0, end);
}

/** Reads the positions of one lexeme, row after row, in the order of its postings. */
export class PositionReader {
  private at: number;

  /** `lexeme` is the number of the lexeme among those of its block of terms. */
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

  /** Passes over the positions of the next row. */
  skip(): void {
    for (let isLast = false; !isLast;) {
      isLast = (this.block[this.at]! & 1) === 1;
      while (this.block[this.at++]! > 0x7f);
    }
  }
}
