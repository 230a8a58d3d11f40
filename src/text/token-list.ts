import { withRoom } from './lexeme-table.js';

/** What a token is for a query that consists of the same text. */
export const enum TokenKind {
  /** A word at its own position. */
  Word,
  /** Another spelling of the words that it spans (`wifi` for `wi-fi`). */
  Joined,
  /** A name or sign that a query finds only as a whole (`C++`, `#tag`, `$50`, `AT&T`), with the words that it spans. */
  Sign,
  /** Repeats a spelling at the last position that it spans, so that the word after it is its neighbour. */
  Repeat,
  /** The last of several characters without spaces; queries find it within the pair before. */
  Tail,
  /** One character without neighbours of its kind; a query finds it at the beginning of every pair. */
  Single,
}

const FIRST_ROOM = 1_024;

/** The tokens of a text, in arrays that are reused. Several tokens can have the same position. */
export class Tokens {
  count = 0;
  /** Numbers of terms in the scanner's table. */
  ids = new Int32Array(FIRST_ROOM);
  positions = new Int32Array(FIRST_ROOM);
  /** Places in the text, in UTF-16 code units. */
  starts = new Int32Array(FIRST_ROOM);
  ends = new Int32Array(FIRST_ROOM);
  kinds = new Uint8Array(FIRST_ROOM);
  /** Number of positions that a token covers. */
  spans = new Uint8Array(FIRST_ROOM);

  push(id: number, position: number, start: number, end: number, kind: TokenKind, span: number): void {
    if (this.count === this.positions.length) this.grow();
    const at = this.count;
    this.ids[at] = id;
    this.positions[at] = position;
    this.starts[at] = start;
    this.ends[at] = end;
    this.kinds[at] = kind;
    this.spans[at] = span;
    this.count = at + 1;
  }

  private grow(): void {
    const room = this.count + 1;
    this.ids = withRoom(this.ids, room);
    this.positions = withRoom(this.positions, room);
    this.starts = withRoom(this.starts, room);
    this.ends = withRoom(this.ends, room);
    this.kinds = withRoom(this.kinds, room);
    this.spans = withRoom(this.spans, room);
  }
}
