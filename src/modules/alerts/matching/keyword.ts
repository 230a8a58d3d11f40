import { classOf, compose, foldCodePoint, PUNCTUATION, HYPHEN } from './fold.js';
import { IS_PUNCTUATION, type KeywordTokens } from './keyword-automaton.js';
import { IS_WORD, TokenScanner } from './token-scanner.js';
import { GrowingVocabulary } from './vocabulary.js';

export const MAX_KEYWORD_LENGTH = 200;

/** Why a text cannot be a keyword, as a sentence; null when it can. */
export function refuseKeyword(keyword: string): string | null {
  if (keyword.length > MAX_KEYWORD_LENGTH) return `must have at most ${MAX_KEYWORD_LENGTH} characters`;
  return tokensOf(keyword, new TokenScanner(new GrowingVocabulary())) === null
    ? 'must contain a letter, a digit or a symbol'
    : null;
}

/** A keyword in the scanner's tokens; null when nothing is left of it but punctuation. */
export function tokensOf(keyword: string, scanner: TokenScanner): KeywordTokens | null {
  if (keyword.length > MAX_KEYWORD_LENGTH || !SEARCHABLE.test(fold(keyword))) return null;
  scanner.reset();
  scanner.scan(keyword);
  const ids = [...scanner.ids.subarray(0, scanner.count)];
  if (ids.includes(-1)) return null;
  const flags = [...scanner.flags.subarray(0, scanner.count)];
  const characters = [...fold(keyword).trim()];
  flags[0]! |= edgeFlag(flags[0]!, characters[0]!);
  flags[flags.length - 1]! |= edgeFlag(flags.at(-1)!, characters.at(-1)!);
  return { ids, flags };
}

const SEARCHABLE = /[\p{L}\p{N}\p{M}\p{S}]/u;

function edgeFlag(flags: number, character: string): number {
  if ((flags & IS_WORD) !== 0) return 0;
  const kind = classOf(character);
  return kind === PUNCTUATION || kind === HYPHEN ? IS_PUNCTUATION : 0;
}

function fold(text: string): string {
  return [...compose(text)].map(foldCodePoint).join('');
}
