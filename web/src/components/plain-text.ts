/** Marks of Markdown and of HTML that a short text is read better without, each with what replaces it. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^ {0,3}(?:#{1,6}|(?:>|&gt;){1,8}|[*+-]) /gm, ''],
  [/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,500}\)/g, '$1'],
  [/\*\*|__|~~|`/g, ''],
  [/&(?:amp;)?(?:#x200B|nbsp);/gi, ' '],
];

/** The beginning of a text in at most `length` UTF-16 units, cut between characters, with an ellipsis where it is cut. */
export const excerptOf = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** A text in Markdown as plain text, for excerpts; works on highlighted fragments, too. */
export const withoutMarkup = (text: string): string =>
  MARKUP.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement), text);
