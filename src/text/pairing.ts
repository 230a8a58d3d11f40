import { normalized } from '../common/strings.js';
import type { TermTable } from './term-table.js';
import { type Tokens, TokenKind } from './token-list.js';

/** Marks, and the vowels and final consonants of Korean syllables, which compose with characters before them. */
const JOINS = /^[\p{M}\u1160-\u11ff]/u;
/** Characters composed together at most: more marks than any writing puts on a letter. */
const MOST_JOINED = 32;

/** Reads a run of characters of a script without spaces as pairs of composed characters. */
export class Pairing {
  /** A character with what may compose with it, where it begins, and how many characters it has. */
  private joined = '';
  private joinedAt = 0;
  private joinedCount = 0;
  /** The last composed character. */
  private last = '';
  private lastAt = 0;
  private count = 0;
  private position = 0;

  constructor(
    private readonly terms: TermTable,
    private readonly tokens: Tokens,
  ) {}

  /** Begins a run whose first character gets a position. */
  begin(position: number): void {
    this.joined = '';
    this.joinedCount = 0;
    this.count = 0;
    this.position = position;
  }

  /** Adds the next character of the run, folded, with its place. */
  add(character: string, at: number): void {
    if (this.joinedCount > 0 && this.joinedCount < MOST_JOINED && JOINS.test(character)) {
      this.joined += character;
      this.joinedCount += 1;
      return;
    }
    this.compose(at);
    this.joined = character;
    this.joinedAt = at;
    this.joinedCount = 1;
  }

  /** Ends the run at a place; returns the position after it. */
  end(end: number): number {
    this.compose(end);
    const kind = this.count === 1 ? TokenKind.Single : TokenKind.Tail;
    this.push(this.last, end, kind);
    return this.position;
  }

  /** Pairs the characters that were joined, all at the place where they stand together. */
  private compose(end: number): void {
    const { joined, joinedAt } = this;
    for (const character of joined.length > 1 ? normalized(joined) : joined) {
      if (this.count > 0) this.push(this.last + character, end, TokenKind.Word);
      this.last = character;
      this.lastAt = joinedAt;
      this.count += 1;
    }
  }

  private push(form: string, end: number, kind: TokenKind): void {
    this.tokens.push(this.terms.ofForm(form), this.position, this.lastAt, end, kind, 1);
    this.position += 1;
  }
}
