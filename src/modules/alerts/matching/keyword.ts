import { hasMoreCharacters } from '../../../common/strings.js';
import { foldedCharacters, type FoldedCharacter } from './character-table.js';
import { compose, FREE, HYPHEN, PUNCTUATION, SPACE, WORD } from './fold.js';
import { IS_PUNCTUATION, type KeywordTokens } from './keyword-index.js';
import { TokenScanner } from './token-scanner.js';
import { GrowingVocabulary } from './vocabulary.js';

/** Maximum number of characters of a keyword. */
export const MAX_KEYWORD_LENGTH = 200;

/** Why a text cannot be a keyword, as a predicate ("must …"); null when it can. */
export function refuseKeyword(keyword: string): string | null {
  if (hasMoreCharacters(keyword, MAX_KEYWORD_LENGTH))
    return `must have at most ${MAX_KEYWORD_LENGTH} characters`;
  return tokensOf(keyword, new TokenScanner(new GrowingVocabulary())) === null
    ? 'must contain a letter, a digit or a symbol'
    : null;
}

/** A keyword as tokens of the scanner; null when it is too long or only punctuation. */
export function tokensOf(keyword: string, scanner: TokenScanner): KeywordTokens | null {
  if (hasMoreCharacters(keyword, MAX_KEYWORD_LENGTH)) return null;
  const characters = [...compose(keyword)]
    .flatMap((character) => foldedCharacters(character.codePointAt(0)!))
    .filter((character) => character.class !== SPACE);
  if (!characters.some(isSearchable)) return null;
  scanner.reset();
  scanner.scan(keyword);
  const ids = [...scanner.ids.subarray(0, scanner.count)];
  if (ids.includes(-1)) return null;
  const flags = [...scanner.flags.subarray(0, scanner.count)];
  flags[0]! |= edgeFlag(characters[0]!);
  flags[flags.length - 1]! |= edgeFlag(characters.at(-1)!);
  return { ids, flags };
}

function isSearchable({ class: kind, units }: FoldedCharacter): boolean {
  return kind === WORD || kind === FREE || /\p{S}/u.test(String.fromCharCode(...units));
}

function edgeFlag({ class: kind }: FoldedCharacter): number {
  return kind === PUNCTUATION || kind === HYPHEN ? IS_PUNCTUATION : 0;
}
