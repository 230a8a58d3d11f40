import { lowered, scriptAt, SCRIPT_COUNT } from './scripts.js';

/** Letters read from a text: more do not change the language, and the bound limits the time for any text. */
const MOST_LETTERS = 400;
/** Code units read from a text, for texts that consist mostly of other characters. */
const MOST_UNITS = 4_000;
/** Letters of a word that are read. */
const LONGEST_WORD = 40;
/** Separates words in {@link Letters.units}. */
export const SPACE = 32;
const APOSTROPHE = 39;
const RIGHT_QUOTE = 0x2019;
const OPENING_BRACKET = 40;
const AT_SIGN = 64;
const BACKTICK = 96;

/** The part of a text that the detector reads. */
export interface Letters {
  /** Words in lower case, with a {@link SPACE} before the first and after each; valid until the next text is read. */
  units: Uint16Array;
  /** Number of units used. */
  length: number;
  /** Letters of each script, by number. */
  counts: Int32Array;
  /** Letters of all scripts. */
  total: number;
  /** Characters that are rare in prose and frequent in code: braces, operators, semicolons, brackets after a word. */
  symbols: number;
}

const SYMBOLS = new Uint8Array(128);
for (const symbol of '{}=;_$|\\<>') SYMBOLS[symbol.charCodeAt(0)] = 1;

const letters: Letters = {
  units: new Uint16Array(4 * MOST_LETTERS),
  length: 0,
  counts: new Int32Array(SCRIPT_COUNT),
  total: 0,
  symbols: 0,
};

/**
 * Reads the letters of a text without addresses, user names and code in backticks; no letter more than twice in a row.
 * Linear and bounded. The result is reused by the next call.
 */
export function readLetters(text: string): Letters {
  const { units, counts } = letters;
  counts.fill(0);
  letters.total = 0;
  letters.symbols = 0;
  units[0] = SPACE;
  let length = 1;
  let start = 1;
  const end = Math.min(text.length, MOST_UNITS);
  let at = 0;
  while (at < end && letters.total < MOST_LETTERS) {
    const unit = text.charCodeAt(at);
    const script = scriptAt(unit);
    if (length === start) {
      const next = afterOpaque(text, at, unit);
      if (next > at) {
        at = next;
        continue;
      }
    }
    at++;
    if (script === 0 && (length === start || (unit !== APOSTROPHE && unit !== RIGHT_QUOTE))) {
      const isCall = unit === OPENING_BRACKET && length > start;
      if (isCall || (unit < SYMBOLS.length && SYMBOLS[unit] === 1)) letters.symbols++;
      if (length > start) length = endWord(units, start, length);
      start = length;
      continue;
    }
    if (script > 0) {
      counts[script]!++;
      letters.total++;
    }
    if (length - start >= LONGEST_WORD) continue;
    const lower = script === 0 ? APOSTROPHE : lowered(unit);
    if (units[length - 1] !== lower || units[length - 2] !== lower) units[length++] = lower;
  }
  letters.length = length > start ? endWord(units, start, length) : length;
  return letters;
}

/** Removes apostrophes at the end of a word and closes it; returns the new length. */
function endWord(units: Uint16Array, start: number, length: number): number {
  while (length > start && units[length - 1] === APOSTROPHE) length--;
  if (length > start) units[length++] = SPACE;
  return length;
}

/** Index after an address, a user name or code that begins at `at`; `at` when there is none. */
function afterOpaque(text: string, at: number, unit: number): number {
  if (unit === AT_SIGN || isAddress(text, at)) {
    let end = at + 1;
    while (end < text.length && text.charCodeAt(end) > SPACE) end++;
    return end;
  }
  if (unit !== BACKTICK) return at;
  const fence = text.startsWith('```', at) ? '```' : '`';
  const end = text.indexOf(fence, at + fence.length);
  if (end < 0) return at;
  if (fence === '`' && text.slice(at, end).includes('\n')) return at;
  return end + fence.length;
}

/** Texts whose addresses were replaced by the word `http` count as well. */
function isAddress(text: string, at: number): boolean {
  return text.startsWith('http', at) || text.startsWith('www.', at);
}
