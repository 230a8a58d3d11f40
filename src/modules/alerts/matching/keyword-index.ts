import { IntList } from './int-list.js';
import { PhraseTable } from './phrase-table.js';
import { GLUED, IS_WORD, type TokenScanner } from './token-scanner.js';

/** A keyword as tokens of the scanner. */
export interface KeywordTokens {
  ids: readonly number[];
  /** GLUED, IS_WORD and IS_PUNCTUATION, one entry per token. */
  flags: readonly number[];
}

/** Set in the flags of a keyword's first and last token if it is punctuation. */
export const IS_PUNCTUATION = 4;

const NONE = -1;
const GUARD_START = 1;
const GUARD_END = 2;
/** Factor of the window hash. */
const BASE = 0x9e3779b1;

/**
 * Finds keywords in a scanned text. A keyword of one token is found by that token; a phrase is found by the hash of a
 * window (Rabin–Karp) that ends with its last token, with one lookup for each length of phrases that end with it. Time
 * depends on the text, not on the number of keywords; memory is proportional to the keywords.
 */
export class KeywordIndex {
  /** Number of distinct keywords; they are numbered from 0 in the order in which they were added. */
  size = 0;
  /**
   * Two entries per token: the keyword that consists of this token only, and the index in `lengths`; NONE where there
   * is none.
   */
  private readonly tokens = new IntList();
  /** Lengths of the phrases that end with the same token, longest first. */
  private readonly lengths: number[][] = [];
  private readonly phrases = new PhraseTable();
  /** By keyword: GUARD_START and GUARD_END. */
  private readonly guards = new IntList();
  /** BASE to the power of the index. */
  private readonly powers = [1];
  /** By token of the searched text: window hash of all tokens before it, back to the last unknown token. */
  private prefixes = new Int32Array(1_024);

  /** Adds a keyword of at least one token; returns its number, which equal keywords share. */
  add(keyword: KeywordTokens): number {
    const { ids } = keyword;
    while (this.tokens.length <= 2 * Math.max(...ids) + 1) this.tokens.push(NONE);
    if (ids.length > 1) return this.addPhrase(keyword);
    const { values } = this.tokens;
    if (values[2 * ids[0]!] === NONE) values[2 * ids[0]!] = this.newNumber(keyword);
    return values[2 * ids[0]!]!;
  }

  /** Calls `found` with a keyword's number for each of its occurrences, in order of where they end. */
  search(scanner: TokenScanner, found: (keyword: number) => void): void {
    const { ids, flags, count } = scanner;
    if (this.prefixes.length <= count) this.prefixes = new Int32Array(2 * count);
    const { prefixes } = this;
    const tokens = this.tokens.values;
    let hash = 0;
    let known = 0;
    for (let at = 0; at < count; at += 1) {
      const id = ids[at]!;
      if (id < 0) {
        hash = 0;
        prefixes[at + 1] = 0;
        known = at + 1;
        continue;
      }
      hash = (Math.imul(hash, BASE) + symbolOf(id, flags[at]!)) | 0;
      prefixes[at + 1] = hash;
      const ending = tokens[2 * id + 1]!;
      if (ending !== NONE && known < at) this.searchPhrases(scanner, known, at, this.lengths[ending]!, found);
      const keyword = tokens[2 * id]!;
      if (keyword !== NONE && this.standsAlone(keyword, at, at, scanner)) found(keyword);
    }
  }

  private searchPhrases(
    scanner: TokenScanner,
    known: number,
    last: number,
    lengths: readonly number[],
    found: (keyword: number) => void,
  ): void {
    const { ids } = scanner;
    for (const length of lengths) {
      const first = last - length + 1;
      if (first < known) continue;
      // Text before the first token does not belong to the phrase, so the token counts as not glued.
      const shift = this.prefixes[first + 1]! - symbolOf(ids[first]!, 0);
      const hash = (this.prefixes[last + 1]! - Math.imul(shift, this.powers[length - 1]!)) | 0;
      const phrase = this.phrases.find(hash, length, (at) => symbolAt(scanner, first, at));
      if (phrase !== NONE && this.standsAlone(phrase, first, last, scanner)) found(phrase);
    }
  }

  /** A keyword that begins or ends with punctuation must not touch a word there: `asp.net` does not contain `.net`. */
  private standsAlone(keyword: number, first: number, last: number, scanner: TokenScanner): boolean {
    const guard = this.guards.values[keyword]!;
    if (guard === 0) return true;
    const { flags, count } = scanner;
    const touchesBefore = first > 0 && flags[first]! & GLUED && flags[first - 1]! & IS_WORD;
    if (guard & GUARD_START && touchesBefore) return false;
    const after = last + 1 < count ? flags[last + 1]! : 0;
    return (guard & GUARD_END) === 0 || after !== (GLUED | IS_WORD);
  }

  private addPhrase(keyword: KeywordTokens): number {
    const symbols = keyword.ids.map((id, at) => symbolOf(id, at === 0 ? 0 : keyword.flags[at]!));
    const hash = symbols.reduce((sum, symbol) => (Math.imul(sum, BASE) + symbol) | 0, 0);
    const known = this.phrases.find(hash, symbols.length, (at) => symbols[at]!);
    if (known !== NONE) return known;
    while (this.powers.length < symbols.length) this.powers.push(Math.imul(this.powers.at(-1)!, BASE));
    this.addLength(keyword.ids.at(-1)!, symbols.length);
    const number = this.newNumber(keyword);
    this.phrases.add(hash, symbols, number);
    return number;
  }

  private addLength(last: number, length: number): void {
    const { values } = this.tokens;
    if (values[2 * last + 1] === NONE) values[2 * last + 1] = this.lengths.push([]) - 1;
    const lengths = this.lengths[values[2 * last + 1]!]!;
    if (!lengths.includes(length)) lengths.push(length);
    lengths.sort((a, b) => b - a);
  }

  private newNumber({ flags }: KeywordTokens): number {
    const start = flags[0]! & IS_PUNCTUATION ? GUARD_START : 0;
    this.guards.push(start | (flags.at(-1)! & IS_PUNCTUATION ? GUARD_END : 0));
    this.size += 1;
    return this.size - 1;
  }
}

/** Combines a token with its flags relative to the previous token. */
function symbolOf(id: number, flags: number): number {
  return 2 * (id + 1) + (flags & GLUED);
}

/** The symbol at index `at` of a phrase that begins at token `first` of a text. */
function symbolAt({ ids, flags }: TokenScanner, first: number, at: number): number {
  return symbolOf(ids[first + at]!, at === 0 ? 0 : flags[first + at]!);
}
