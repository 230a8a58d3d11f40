/** Length in UTF-16 units up to which one character, as readers count them, is kept whole. */
const LONGEST_CHARACTER = 64;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The characters of a text, as readers count them. */
export function* charactersOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** The start of the character, as readers count them, at an index of a text; of a very long one the index itself. */
export function characterStart(text: string, at: number, after = 0): number {
  if (at >= text.length) return text.length;
  const around = segmenter.segment(text.slice(after, at + LONGEST_CHARACTER));
  const start = after + (around.containing(at - after)?.index ?? 0);
  if (start > after && at - start < LONGEST_CHARACTER) return start;
  const isHalf = /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isHalf ? at - 1 : at;
}

/** The longest beginning of a text of whole characters, with at most `maxLength` UTF-16 units. */
export function beginningOf(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, characterStart(text, maxLength));
}
