/** A name, with what marks it as a mention; names of other servers have dots and `@`. */
const TOKEN = /(\bu\/|\/user\/|@)?([\p{L}\p{N}_-]+(?:[.@][\p{L}\p{N}_-]+)*)/giu;
const PART = /[\p{L}\p{N}_-]+/gu;
/** The title that the address of a post ends with. */
const TITLE_IN_ADDRESS = /(\/comments\/[\w-]+\/)[^/\s?#)\]]+/g;
const PROFILE_FORUM = /^u_/i;
/** Characters of emphasis around a word. */
const EMPHASIS = '_-';
const MAX_NAME_LENGTH = 255;

/** The pseudonym of a name in lower case; null when it is no name. */
export type PseudonymOf = (name: string, isMention: boolean) => string | null;

/** Replaces the names in a text, word by word, and removes titles from addresses of posts. Takes linear time. */
export function replaceNames(text: string, pseudonymOf: PseudonymOf): string {
  return text
    .replace(TITLE_IN_ADDRESS, '$1')
    .replace(TOKEN, (whole, mark: string | undefined, name: string) => {
      if (mark !== undefined) return mark + (pseudonymOf(name.toLowerCase(), true) ?? name);
      return (
        replaced(name, pseudonymOf) ??
        whole.replace(PART, (part) => (part === name ? part : (replaced(part, pseudonymOf) ?? part)))
      );
    });
}

/** Adds what may be a name to a set, in lower case. */
export function collectNames(text: string, names: Set<string>): void {
  replaceNames(text, (name, isMention) => {
    if (!isMention && name.length <= MAX_NAME_LENGTH) names.add(name);
    return null;
  });
}

/** A word without the characters of emphasis at its ends; a loop, because an expression could take quadratic time. */
function withoutEmphasis(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && EMPHASIS.includes(word[start]!)) start += 1;
  while (start < end && EMPHASIS.includes(word[end - 1]!)) end -= 1;
  return word.slice(start, end);
}

/** A word, or what it consists of beside emphasis and the prefix of a profile's forum; null if neither is a name. */
function replaced(word: string, pseudonymOf: PseudonymOf): string | null {
  const found = pseudonymOf(word.toLowerCase(), false);
  if (found !== null) return found;
  for (const inner of [withoutEmphasis(word), word.replace(PROFILE_FORUM, '')]) {
    if (inner === word || inner === '') continue;
    const pseudonym = pseudonymOf(inner.toLowerCase(), false);
    if (pseudonym !== null) return word.replace(inner, () => pseudonym);
  }
  return null;
}
