import { addToHash, EMPTY_HASH, hashText, mixBits } from '../../../common/hash.js';
import { Kind, type Token } from '../../text/tokens.js';
import { squeeze } from '../../text/word-table.js';

/** Slots of the word table and of the n-gram table. */
export const LANGUAGE_SLOTS = 1 << 16;

/** Input of a language's model: slots, one per occurrence. */
export interface LanguageFeatures {
  words: number[];
  grams: number[];
}

/** Number of words after a negation that are in its scope, unless a clause ends before. */
const SCOPE = 3;
const LONGEST_WORD = 24;
const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;
const MASK = LANGUAGE_SLOTS - 1;
const NEGATED = 0x5bd1e995;
const CAPITALS = 0x1234567;
const NUMBER = 0x0badcafe;
const SYMBOL = 0x777;
const GRAM = 0x1111;
const ELONGATED = 0x333;
const ALWAYS = 0x77;
const LENGTH = 0x900;
const MOST_DOUBLINGS = 6;
const WORD_START = 60;
const WORD_END = 62;
/** The rest of an address in texts whose addresses were replaced before. */
const ADDRESS = 'http';

/** Words, words in the scope of a negation, emoji, capitals, elongation, length and character n-grams of a text. */
export function languageFeatures(tokens: readonly Token[], negations: ReadonlySet<string>): LanguageFeatures {
  const words: number[] = [ALWAYS, lengthSlot(tokens.length)];
  const grams: number[] = [];
  let scope = 0;
  for (const token of tokens) {
    if (token.text === ADDRESS) continue;
    if (token.kind === Kind.Stop || token.kind === Kind.Shout) scope = 0;
    const text = token.word ? squeeze(token.text) : token.text;
    const hash = hashOf(token, text);
    words.push(hash & MASK);
    if (scope > 0) {
      words.push(mixBits(hash ^ NEGATED) & MASK);
      scope--;
    }
    if (negations.has(text)) scope = SCOPE;
    if (token.caps) words.push(mixBits(hash ^ CAPITALS) & MASK);
    if (token.word?.elongated) words.push(ELONGATED);
    if (token.kind === Kind.Word && text.length <= LONGEST_WORD) addGrams(text, grams);
  }
  return { words, grams };
}

function hashOf(token: Token, text: string): number {
  if (token.kind === Kind.Number) return NUMBER;
  return token.word ? hashText(text) : mixBits(hashText(text) ^ SYMBOL);
}

function lengthSlot(tokens: number): number {
  return LENGTH + 2 * Math.min(MOST_DOUBLINGS, Math.round(Math.log2(1 + tokens)));
}

/** Adds the pieces of three to five letters of `<word>`. */
function addGrams(text: string, grams: number[]): void {
  const length = text.length + 2;
  const unitAt = (at: number): number =>
    at === 0 ? WORD_START : at === length - 1 ? WORD_END : text.charCodeAt(at - 1);
  for (let from = 0; from + SHORTEST_GRAM <= length; from++) {
    let hash = EMPTY_HASH;
    for (let size = 1; size <= LONGEST_GRAM && from + size <= length; size++) {
      hash = addToHash(hash, unitAt(from + size - 1));
      if (size >= SHORTEST_GRAM && size < length) grams.push(mixBits(hash ^ GRAM) & MASK);
    }
  }
}
