/** Whether a text has more than `count` characters. A character is a Unicode code point, as in JSON Schema. */
export function hasMoreCharacters(text: string, count: number): boolean {
  // No code point has more than two UTF-16 units, so the characters of a much longer text need not be counted.
  return text.length > 2 * count || [...text].length > count;
}
