import { hasMoreCharacters } from '../../common/strings.js';
import { hasWords } from '../../text/query-words.js';
import { type Condition, wordsCondition } from '../../search/query/condition.js';

/** Maximum number of characters of a keyword. */
export const MAX_KEYWORD_LENGTH = 200;
/** A keyword that is found in exactly this form: `"organ"`, `=organ`. */
const EXACT = /^\s*(?:"(.*)"|=(\S.*))\s*$/s;

/** Why a text cannot be a keyword, as a predicate ("must …"); null when it can. */
export function refuseKeyword(keyword: string): string | null {
  if (hasMoreCharacters(keyword, MAX_KEYWORD_LENGTH))
    return `must have at most ${MAX_KEYWORD_LENGTH} characters`;
  return hasWords(keyword) ? null : 'must contain a letter, a digit or an emoji';
}

/** The condition of a keyword: its words side by side, in any form of the text's language. */
export function conditionOfKeyword(keyword: string): Condition {
  const [, quoted, exact] = EXACT.exec(keyword) ?? [];
  const form = quoted ?? exact;
  return wordsCondition(form ?? keyword, form !== undefined, false, null);
}
