/** Prefix of lexeme keys; no facet has this name. */
const WORD = 'w';
/** Ends the part of a key that is compared. Postgres text cannot contain this character. */
const END = '\0';

/** The key of a lexeme, or the prefix of the keys of all lexemes that begin with it. */
export const wordKey = (lexeme: string): string => `${WORD}:${lexeme}`;

/** Whether a key belongs to a lexeme; the postings of lexemes count occurrences. */
export const isWordKey = (key: string): boolean => key.startsWith(`${WORD}:`);

/** The prefix of the keys of all values of a field. */
export const fieldPrefix = (field: string): string => `${field}=`;

/** The prefix of the keys of one value of a field, in all its spellings. */
export const valuePrefix = (field: string, value: string): string => `${fieldPrefix(field)}${value}${END}`;

/** The key of a value of a field. `detail` is its spelling, or its ordinal among equal values of a list. */
export const valueKey = (field: string, value: string, detail: string): string =>
  `${valuePrefix(field, value)}${detail}`;

/** Offset of the end of the value in a key without its field, which begins at `start`. */
export const endOfValue = (key: Buffer, start: number): number => key.indexOf(0, start);

/** The value and the detail of a key that begins with `prefix`, which {@link fieldPrefix} returned. */
export function splitKey(prefix: string, key: string): { value: string; detail: string } {
  const end = key.indexOf(END, prefix.length);
  return { value: key.slice(prefix.length, end), detail: key.slice(end + 1) };
}
