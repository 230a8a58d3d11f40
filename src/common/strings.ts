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

/** The text without the characters of `ending` at its end; linear, which `/[…]+$/` is not. */
export function withoutEnding(text: string, ending: string): string {
  let end = text.length;
  while (end > 0 && ending.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
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
