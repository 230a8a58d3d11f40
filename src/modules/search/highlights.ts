import type { SqlParameters } from '../../database/sql.js';
import { tsquerySql } from './query/query-condition.js';

/**
 * Placeholders for the marks around a found word in the result from Postgres: characters that no platform text uses.
 */
const MARK_START = '\u{e000}';
const MARK_END = '\u{e001}';
/** Placeholders for `<` and `>`, because Postgres would drop text between them as a tag. */
const LESS = '\u{e002}';
const GREATER = '\u{e003}';

const OPTIONS =
  `StartSel=${MARK_START}, StopSel=${MARK_END}, MaxFragments=2, MaxWords=30, MinWords=10, ` +
  'FragmentDelimiter=" … "';

/** HTML for the characters of a fragment that need replacing. */
const HTML: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  [LESS]: '&lt;',
  [GREATER]: '&gt;',
  [MARK_START]: '<mark>',
  [MARK_END]: '</mark>',
};
const REPLACED = new RegExp(`[${Object.keys(HTML).join('')}]`, 'gu');

/** Names of the columns with the highlights of text columns. */
const columnOf = (text: string): string => `highlight_${text}`;

/** Columns with fragments of each text around the words of a query, which is in the syntax of `to_tsquery`. */
export function highlightColumns(
  texts: readonly string[],
  words: string,
  parameters: SqlParameters,
): string[] {
  if (words === '') return [];
  const query = tsquerySql(words, parameters.add(words));
  // The first list has characters without a counterpart in the second, so `translate` deletes them.
  const replaced = parameters.add(`<>${MARK_START}${MARK_END}${LESS}${GREATER}`);
  const by = parameters.add(LESS + GREATER);
  const options = parameters.add(OPTIONS);
  return texts.map(
    (text) =>
      `ts_headline('english', translate(${text}, ${replaced}, ${by}), ${query}, ${options}) AS "${columnOf(text)}"`,
  );
}

/** HTML-escaped fragments with `<mark>` around found words, for the texts in which a word was found. */
export function highlightsOf(row: object, texts: readonly string[]): Record<string, string> {
  const highlights: Record<string, string> = {};
  for (const text of texts) {
    const fragment = (row as Record<string, unknown>)[columnOf(text)];
    if (typeof fragment === 'string' && fragment.includes(MARK_START)) highlights[text] = toHtml(fragment);
  }
  return highlights;
}

function toHtml(fragment: string): string {
  return fragment.replace(REPLACED, (character) => HTML[character]!);
}
