import type { NumberLog } from '../build/term-log.js';

const LENGTH_BYTES = 4;

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
export function appendPositions(positions: readonly number[], bytes: NumberLog): void {
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
  copyTo(bytes: NumberLog): void {
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
