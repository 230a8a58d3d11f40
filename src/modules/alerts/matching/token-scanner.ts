import { addToHash, EMPTY_HASH } from '../../../common/hash.js';
import {
  COMPLEX,
  DROPPED,
  FOLDED_UNITS,
  foldedCharacters,
  unitClass,
  type FoldedCharacter,
} from './character-table.js';
import { compose, FREE, HYPHEN, SPACE, WORD } from './fold.js';
import type { Vocabulary } from './vocabulary.js';

/** Flag: the token follows the previous one without a gap. */
export const GLUED = 1;
/** Flag: the token is a run of word characters. */
export const IS_WORD = 2;

/** Longer words match no keyword, since a keyword has at most 200 characters. */
const MAX_WORD_UNITS = 512;
const HYPHEN_UNIT = 0x2d;

/**
 * Splits texts into folded tokens. A run of letters, digits and marks is one token; so is every single character of an
 * unspaced script, every pictograph and every punctuation mark. White space only separates tokens. A hyphen between
 * words counts as white space, so that `state-of-the-art` and `state of the art` are the same. The arrays are reused by
 * the next {@link reset}.
 */
export class TokenScanner {
  ids = new Int32Array(1_024);
  flags = new Uint8Array(1_024);
  count = 0;

  private readonly units = new Uint16Array(MAX_WORD_UNITS);
  private length = 0;
  private hash = EMPTY_HASH;
  /** GLUED when the next token follows the previous one without a gap, else 0. */
  private glue = 0;
  /** The last token was a word or a character of an unspaced script. */
  private afterWord = false;
  /** The last character was a hyphen after a word; it is a separator if a word follows. */
  private hyphenWaits = false;

  constructor(private readonly vocabulary: Vocabulary) {}

  reset(): void {
    this.count = 0;
    this.glue = 0;
  }

  /** Appends the tokens of a text. No phrase spans two texts. */
  scan(text: string): void {
    if (this.count > 0) this.push(-1, 0);
    this.glue = 0;
    const composed = compose(text);
    for (let i = 0; i < composed.length; i += 1) {
      const unit = composed.charCodeAt(i);
      const kind = unitClass(unit);
      if (kind === WORD) this.wordUnit(FOLDED_UNITS[unit]!);
      else if (kind === SPACE) this.space();
      else if (kind === DROPPED) continue;
      else if (kind === COMPLEX) {
        const codePoint = composed.codePointAt(i)!;
        if (codePoint > 0xffff) i += 1;
        for (const character of foldedCharacters(codePoint)) this.character(character);
      } else this.single(kind, FOLDED_UNITS[unit]!);
    }
    this.space();
  }

  private character({ class: kind, units }: FoldedCharacter): void {
    if (kind === WORD) for (const unit of units) this.wordUnit(unit);
    else if (kind === SPACE) this.space();
    else this.single(kind, units[0]!, units[1]);
  }

  private wordUnit(unit: number): void {
    if (this.length === 0 && this.hyphenWaits) this.hyphenAsSpace();
    if (this.length < MAX_WORD_UNITS) this.units[this.length] = unit;
    this.length += 1;
    this.hash = addToHash(this.hash, unit);
  }

  private space(): void {
    this.endWord();
    if (this.hyphenWaits) this.hyphenAsToken();
    this.glue = 0;
  }

  /** Appends a token of one character; `second` is the other half of a surrogate pair. */
  private single(kind: number, first: number, second?: number): void {
    this.endWord();
    if (kind === HYPHEN && this.afterWord && this.glue === GLUED && !this.hyphenWaits) {
      this.hyphenWaits = true;
      return;
    }
    if (this.hyphenWaits) {
      if (kind === FREE) this.hyphenAsSpace();
      else this.hyphenAsToken();
    }
    this.pushSingle(first, second);
    this.afterWord = kind === FREE;
  }

  private hyphenAsSpace(): void {
    this.hyphenWaits = false;
    this.glue = 0;
  }

  private hyphenAsToken(): void {
    this.hyphenWaits = false;
    this.pushSingle(HYPHEN_UNIT);
    this.afterWord = false;
  }

  private pushSingle(first: number, second?: number): void {
    this.units[0] = first;
    let hash = addToHash(EMPTY_HASH, first);
    if (second !== undefined) {
      this.units[1] = second;
      hash = addToHash(hash, second);
    }
    this.push(this.vocabulary.idOf(this.units, second === undefined ? 1 : 2, hash), this.glue);
    this.glue = GLUED;
  }

  private endWord(): void {
    if (this.length === 0) return;
    const id = this.length > MAX_WORD_UNITS ? -1 : this.vocabulary.idOf(this.units, this.length, this.hash);
    this.push(id, this.glue | IS_WORD);
    this.length = 0;
    this.hash = EMPTY_HASH;
    this.glue = GLUED;
    this.afterWord = true;
  }

  private push(id: number, flags: number): void {
    if (this.count === this.ids.length) this.grow();
    this.ids[this.count] = id;
    this.flags[this.count] = flags;
    this.count += 1;
  }

  private grow(): void {
    const ids = new Int32Array(this.ids.length * 2);
    ids.set(this.ids);
    this.ids = ids;
    const flags = new Uint8Array(this.flags.length * 2);
    flags.set(this.flags);
    this.flags = flags;
  }
}
