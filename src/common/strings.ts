/** Length in UTF-16 units up to which one character, as readers count them, is kept whole. */
const LONGEST_CHARACTER = 64;

/** Two characters that nothing joins. */
const ASCII = /^[\x20-\x7e]{2}$/;
/** Shorter texts are normalised as a whole. */
const SHORT = 256;
/** A part of a text with its marks, of which no language has so many after one letter. */
const MARKED = /\P{M}*\p{M}{0,64}/gu;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The type-level form of camel case: `created_utc` becomes `createdUtc`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Converts `createdUtc` to `created_utc`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts `created_utc` to `createdUtc`. */
export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}

/**
 * The text in a normal form of Unicode, in linear time: marks after one letter are put into their order 64 by 64, because
 * the time for them grows with the square of their number.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  return text.length <= SHORT ? text.normalize(form) : text.replace(MARKED, (part) => part.normalize(form));
}

/** The text without the characters of `ending` at its end; linear, which `/[…]+$/` is not. */
export function withoutEnding(text: string, ending: string): string {
  let end = text.length;
  while (end > 0 && ending.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** The characters of a text, as readers count them. */
export function* charactersOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** The start of the character, as readers count them, at an index of a text; of a very long one the index itself. */
export function characterStart(text: string, at: number, after = 0): number {
  if (at >= text.length) return text.length;
  if (ASCII.test(text.slice(at - 1, at + 1))) return at;
  // Only what is around is looked at, because finding the characters of a whole text takes long.
  const from = halfStart(text, Math.max(after, at - 2 * LONGEST_CHARACTER));
  const around = segmenter.segment(text.slice(from, at + LONGEST_CHARACTER));
  const start = from + (around.containing(at - from)?.index ?? 0);
  return start > after && at - start < LONGEST_CHARACTER ? start : halfStart(text, at);
}

/** The index, or the one before it if that is within a surrogate pair. */
function halfStart(text: string, at: number): number {
  const isHalf = /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isHalf ? at - 1 : at;
}

/** The longest beginning of a text of whole characters, with at most `maxLength` UTF-16 units. */
export function beginningOf(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, characterStart(text, maxLength));
}

/** Whether a text has more than `count` characters. A character is a Unicode code point, as in JSON Schema. */
export function hasMoreCharacters(text: string, count: number): boolean {
  // No code point has more than two UTF-16 units, so the characters of a much longer text need not be counted.
  return text.length > 2 * count || [...text].length > count;
}

/** Whether a text has `min` to `max` characters, counted as in {@link hasMoreCharacters}. */
export function hasLength(text: string, min: number, max: number): boolean {
  return hasMoreCharacters(text, min - 1) && !hasMoreCharacters(text, max);
}

/** A part of a URL without its percent encoding; "" when that is invalid. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** A name as people write it, of one that a browser may have copied percent-encoded. */
export function decodedName(name: string): string {
  return normalized(percentDecoded(name) || name);
}
