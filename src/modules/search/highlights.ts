import type { SqlParameters } from '../../database/sql.js';
import { tsquerySql } from './query/query-condition.js';

/** Marks around a found word on its way from Postgres: characters that no text of the platform uses. */
const MARK_START = '\u{e000}';
const MARK_END = '\u{e001}';
/** Stand for `<` and `>`, so that Postgres takes no text between them for a tag and leaves it out. */
const LESS = '\u{e002}';
const GREATER = '\u{e003}';

const OPTIONS =
  `StartSel=${MARK_START}, StopSel=${MARK_END}, MaxFragments=2, MaxWords=30, MinWords=10, ` +
  'FragmentDelimiter=" … "';

/** What characters of a fragment become in HTML. */
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

/** Names of the columns that hold the highlights of text columns. */
const columnOf = (text: string): string => `highlight_${text}`;

/** Columns with fragments of each text around the words of a query, which is in the syntax of `to_tsquery`. */
export function highlightColumns(
  texts: readonly string[],
  words: string,
  parameters: SqlParameters,
): string[] {
  if (words === '') return [];
  const query = tsquerySql(words, parameters.add(words));
  // Further characters of the first list have none in the second, so that they are left out.
  const replaced = parameters.add(`<>${MARK_START}${MARK_END}${LESS}${GREATER}`);
  const by = parameters.add(LESS + GREATER);
  const options = parameters.add(OPTIONS);
  return texts.map(
    (text) =>
      `ts_headline('english', translate(${text}, ${replaced}, ${by}), ${query}, ${options}) AS "${columnOf(text)}"`,
  );
}

/** HTML-escaped fragments with `<mark>` around found words, of those texts in which a word was found. */
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
