/** Length in UTF-16 units up to which one character, as readers count them, is kept whole. */
const LONGEST_CHARACTER = 64;

/** Two characters that nothing joins. */
const ASCII = /^[\x20-\x7e]{2}$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

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
