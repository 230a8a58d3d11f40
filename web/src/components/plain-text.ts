/** Marks of Markdown and of HTML that a short text is read better without, each with what replaces it. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}(?:#{1,6}|(?:>|&gt;){1,8}|[*+-]) /gm, ''],
  [/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,500}\)/g, '$1'],
  [/\*\*|__|~~|`/g, ''],
  [/&(?:amp;)?(?:#x200B|nbsp);/gi, ' '],
];

const CHARACTERS = new Intl.Segmenter();
/** No character that readers know is longer. */
const LONGEST_CHARACTER = 64;

/** The start of the character, as readers count them, at a place of a text. */
export function characterStart(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_CHARACTER);
  const around = CHARACTERS.segment(text.slice(from, at + LONGEST_CHARACTER));
  return at < text.length ? from + around.containing(at - from)!.index : text.length;
}

/** The beginning of a text in at most `length` UTF-16 units, cut between characters. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, characterStart(text, length));

/** The beginning of a text as {@link beginningOf}, with an ellipsis where it is cut. */
export const excerptOf = (text: string, length: number): string =>
  text.length > length ? `${beginningOf(text, length)}…` : text;

/** A text in Markdown as plain text, for excerpts; works on highlighted fragments, too. */
export const withoutMarkup = (text: string): string =>
  MARKUP.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement), text);
