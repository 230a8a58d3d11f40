import { replaceUnescaped } from './unescaped-text.js';

/** A name, with its mark as a mention; names of other servers have dots and `@`. */
const TOKEN = /(\bu\/|\/user\/|@)?([\p{L}\p{M}\p{N}_-]+(?:[.@][\p{L}\p{M}\p{N}_-]+)*)/giu;
const PART = /[\p{L}\p{M}\p{N}_-]+/gu;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Where the words of a hashtag begin. */
const CAPITALISED = /\p{Lu}?[^\p{Lu}]+|\p{Lu}+(?!\P{Lu})/gu;
/** The title that the address of a post ends with. */
const TITLE_IN_ADDRESS = /(\/comments\/[\w-]+\/)[^/\s?#)\]]+/g;
const PROFILE_FORUM = /^u_/i;
/** Characters of emphasis around a word. */
const EMPHASIS = '_-';
const MAX_NAME_LENGTH = 255;

/** The pseudonym of a name, which is given as written but without escapes; null when it is no name. */
export type PseudonymOf = (name: string, isMention: boolean) => string | null;

/**
 * Replaces the names in a text, word by word, also those with escaped characters, and removes titles from addresses of
 * posts. Takes linear time.
 */
export function replaceNames(text: string, pseudonymOf: PseudonymOf): string {
  const untitled = replaceUnescaped(
    text.replace(TITLE_IN_ADDRESS, '$1'),
    TITLE_IN_ADDRESS,
    (_title, address) => address,
  );
  return replaceUnescaped(untitled, TOKEN, (whole, mark, name) => {
    if (mark !== undefined) return mark + (pseudonymOf(name, true) ?? name);
    return (
      replaced(whole, pseudonymOf) ??
      whole.replace(PART, (part) => (part === whole ? part : (replaced(part, pseudonymOf) ?? part)))
    );
  });
}

/** Adds possible names to a set, in lower case. */
export function collectNames(text: string, names: Set<string>): void {
  replaceNames(text, (name, isMention) => {
    if (!isMention && name.length <= MAX_NAME_LENGTH) names.add(name.toLowerCase());
    return null;
  });
}

/**
 * The words of names, in lower case, as an extractor of keywords may divide them: at capitals and at whatever is neither a
 * letter nor a digit.
 */
export function wordsOfNames(names: Iterable<string>): Set<string> {
  const words = [...names].flatMap((name) => name.match(WORD) ?? []);
  return new Set(words.flatMap((word) => [word, ...(word.match(CAPITALISED) ?? [])]).map(inLowerCase));
}

/** Whether a phrase contains one of the words. */
export const hasWord = (phrase: string, words: ReadonlySet<string>): boolean =>
  (phrase.match(WORD) ?? []).some((word) => words.has(inLowerCase(word)));

const inLowerCase = (word: string): string => word.toLowerCase();

/** A word without the characters of emphasis at its ends; a loop, because an expression could take quadratic time. */
function withoutEmphasis(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && EMPHASIS.includes(word[start]!)) start += 1;
  while (start < end && EMPHASIS.includes(word[end - 1]!)) end -= 1;
  return word.slice(start, end);
}

/** A word, or its parts besides emphasis and the prefix of a profile's forum; null if neither is a name. */
function replaced(word: string, pseudonymOf: PseudonymOf): string | null {
  const found = pseudonymOf(word, false);
  if (found !== null) return found;
  for (const inner of [withoutEmphasis(word), word.replace(PROFILE_FORUM, '')]) {
    if (inner === word || inner === '') continue;
    const pseudonym = pseudonymOf(inner, false);
    if (pseudonym !== null) return word.replace(inner, () => pseudonym);
  }
  return null;
}
