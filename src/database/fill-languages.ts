import { detectLanguage } from '../text/language/detect-language.js';
import { fillColumn, type RunWithParameters, type TextTable } from './fill-column.js';

/** The text of a row, of each table. */
const TEXTS = { posts: "title || E'\\n' || selftext", comments: 'body' };
/** Characters read of a text: more do not change its language. */
const MOST_CHARACTERS = 4_000;

/** Finds the language of rows whose column is empty. */
export function fillLanguages(run: RunWithParameters, table: TextTable): Promise<void> {
  return fillColumn<{ text: string }>(run, table, {
    name: 'language',
    type: 'text',
    texts: `left(${TEXTS[table]}, ${MOST_CHARACTERS}) AS text`,
    isWanted: `language = ''`,
    valueOf: ({ text }) => detectLanguage(text),
  });
}
