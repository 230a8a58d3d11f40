import { addToHash, EMPTY_HASH } from '../common/hash.js';
import {
  ASCII_LOWER,
  classOf,
  classOfCodePoint,
  DROPPED,
  foldOf,
  foldWord,
  IS_ASCII_WORD,
  PAIRED,
  PICTURE,
  SEPARATOR,
  SURROGATE,
  SYMBOL,
  WORD,
} from './character-classes.js';
import { Compounds } from './compounds.js';
import { Pairing } from './pairing.js';
import { TermTable } from './term-table.js';
import { Tokens, TokenKind } from './token-list.js';

const SPACE = 32;
const COMMA = 44;
const DOT = 46;
const BACKSLASH = 92;
/** Characters of a tag in a script without spaces, and positions that it may span; longer ones are only words. */
const LONGEST_TAG = 100;
const MOST_POSITIONS = 255;
/** Markup that is not read: tags of formatting, and character references for blanks. */
const TAG =
  /<(?:\/?(?:p|br|em|strong|pre|code|ul|ol|li|blockquote|del|sup|sub|h[1-6]|b|i|u)\s{0,9}\/?|a\s[^<>]{0,500}|\/a)>/y;
const BLANK = /&(?:#x200b|nbsp);/iy;

/**
 * Splits texts into words with positions, in one pass and in time linear in the length. The language of a text plays no
 * part. Results are reused by the next call.
 */
export class Scanner {
  readonly tokens = new Tokens();
  readonly terms = new TermTable();
  private readonly compounds = new Compounds(this.terms, this.tokens);
  private readonly pairing = new Pairing(this.terms, this.tokens);
  private text = '';
  private position = 0;

  /** Reads a text whose first word gets the position `first`; returns the position after its last word. */
  scan(text: string, first = 1): number {
    this.terms.makeRoom();
    return this.scanNext(text, first);
  }

  /** As {@link scan}, while the numbers of terms and lexemes of the text before stay valid. */
  scanNext(text: string, first: number): number {
    this.tokens.count = 0;
    this.text = text;
    this.position = first;
    for (let at = 0; at < text.length;) at = this.step(at);
    return this.position;
  }

  /** Reads what begins at `at`; returns the place after it. */
  private step(at: number): number {
    const unit = this.text.charCodeAt(at);
    if (unit < 128 && IS_ASCII_WORD[unit] === 1) return this.word(at);
    const kind = classOf(unit);
    if (kind === SEPARATOR || kind === DROPPED) return at + 1;
    if (kind === SYMBOL) return this.symbol(at);
    if (kind === SURROGATE) return this.beyond(at);
    if (kind === PAIRED) return this.pairs(at);
    return kind === PICTURE ? this.picture(at, 1) : this.compound(at, at, '');
  }

  /** Nearly all words of texts are ASCII and end with a space, a comma or a full stop. */
  private word(start: number): number {
    const { text } = this;
    let hash = EMPTY_HASH;
    let end = start;
    let unit = text.charCodeAt(start);
    do {
      hash = addToHash(hash, ASCII_LOWER[unit]!);
      end += 1;
      unit = text.charCodeAt(end);
    } while (unit < 128 && IS_ASCII_WORD[unit] === 1);
    const isEnd =
      unit === SPACE ||
      end === text.length ||
      classOf(unit) === SEPARATOR ||
      ((unit === COMMA || unit === DOT) && !(text.charCodeAt(end + 1) > SPACE));
    if (!isEnd) return this.compound(start, start, '');
    this.tokens.push(
      this.terms.ofAscii(text, start, end, hash),
      this.position,
      start,
      end,
      TokenKind.Word,
      1,
    );
    this.position += 1;
    return end;
  }

  private compound(start: number, firstPart: number, prefix: string): number {
    const end = this.compounds.read(this.text, start, firstPart, prefix, this.position);
    this.position = this.compounds.position;
    return end;
  }

  private symbol(at: number): number {
    const { text } = this;
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) return at + 1;
    const symbol = foldOf(unit);
    const skipped = symbol === '<' ? TAG : symbol === '&' ? BLANK : null;
    if (skipped !== null) {
      skipped.lastIndex = at;
      return skipped.test(text) ? skipped.lastIndex : at + 1;
    }
    if (!'.#@$€£¥'.includes(symbol) || at + 1 >= text.length || !this.beginsWord(at, symbol)) return at + 1;
    const next = classOfCodePoint(text.codePointAt(at + 1)!);
    const end = symbol === '#' || (next === PAIRED && '@$'.includes(symbol)) ? this.endOfTag(at + 1) : at;
    if (end > at) return this.tag(at, end, symbol);
    return next === WORD ? this.compound(at, at + 1, symbol) : at + 1;
  }

  /** Where a tag ends that has characters of a script without spaces; 0 for others. */
  private endOfTag(start: number): number {
    const { text } = this;
    let end = 0;
    let isPaired = false;
    for (let at = start, count = 0; at < text.length; count += 1) {
      const codePoint = text.codePointAt(at)!;
      const kind = classOfCodePoint(codePoint);
      const isLetter = kind === WORD || kind === PAIRED || kind === DROPPED;
      if (!isLetter && !(kind === SYMBOL && '-_'.includes(foldOf(codePoint)))) break;
      if (count === LONGEST_TAG) return 0;
      at += codePoint > 0xffff ? 2 : 1;
      isPaired ||= kind === PAIRED;
      if (isLetter) end = at;
    }
    return isPaired ? end : 0;
  }

  /** Reads the words of a tag and the whole tag, which queries with its sign find. */
  private tag(start: number, end: number, sign: string): number {
    const { text, tokens, terms, position: first } = this;
    let at = start + 1;
    while (at < end) at = this.step(at);
    const last = this.position - 1;
    if (last - first >= MOST_POSITIONS) return at;
    const term = terms.ofForm(sign + foldWord(text.slice(start + 1, end)).replace(/[-_]/g, ''));
    tokens.push(term, first, start, end, TokenKind.Sign, last - first + 1);
    if (last > first) tokens.push(term, last, start, end, TokenKind.Repeat, 1);
    return at;
  }

  /** Whether a symbol stands where a word begins, as in `.NET` and `#tag`. */
  private beginsWord(at: number, symbol: string): boolean {
    const before = at === 0 ? SPACE : this.text.charCodeAt(at - 1);
    if (classOf(before) === WORD) return false;
    const after = this.text.charCodeAt(at + 1);
    return symbol !== '.' || (before !== DOT && !(after >= 48 && after <= 57));
  }

  private beyond(at: number): number {
    const codePoint = this.text.codePointAt(at)!;
    if (codePoint < 0x10000) return at + 1;
    const kind = classOfCodePoint(codePoint);
    if (kind === WORD) return this.compound(at, at, '');
    if (kind === PAIRED) return this.pairs(at);
    return kind === PICTURE ? this.picture(at, 2) : at + 2;
  }

  private picture(at: number, units: number): number {
    const { text } = this;
    let end = at + units;
    let form = foldOf(text.codePointAt(at)!);
    if (isFlagLetter(form) && isFlagLetter(text.slice(end, end + 2))) {
      form += text.slice(end, end + 2);
      end += 2;
    }
    this.tokens.push(this.terms.ofForm(form), this.position, at, end, TokenKind.Word, 1);
    this.position += 1;
    return end;
  }

  /** Reads characters of a script without spaces: every two neighbours are a word at the position of the first. */
  private pairs(start: number): number {
    const { text, pairing } = this;
    pairing.begin(this.position);
    let end = start;
    while (end < text.length) {
      const codePoint = text.codePointAt(end)!;
      const kind = classOfCodePoint(codePoint);
      if (kind !== PAIRED && kind !== DROPPED) break;
      if (kind === PAIRED) pairing.add(foldOf(codePoint), end);
      end += codePoint > 0xffff ? 2 : 1;
    }
    this.position = pairing.end(end);
    return end;
  }
}

const isFlagLetter = (character: string): boolean => /^\p{RI}$/u.test(character);

/** The scanner of this process: its table of terms is shared by all that read texts. */
export const SCANNER = new Scanner();
