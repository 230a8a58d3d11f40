import { searchValue } from '../text/search-value.js';
import { fillColumn, type RunWithParameters, type TextTable } from './fill-column.js';

const TEXTS = { posts: 'title, selftext AS text', comments: `'' AS title, body AS text` };

/** Computes the words of rows that have none, because SQL wrote them, or of all rows. */
export function fillSearchValues(
  run: RunWithParameters,
  table: TextTable,
  which: 'empty' | 'all' = 'empty',
): Promise<void> {
  return fillColumn<{ title: string; text: string }>(run, table, {
    name: 'search',
    type: 'tsvector',
    texts: TEXTS[table],
    isWanted: which === 'all' ? 'true' : `search = ''`,
    valueOf: ({ title, text }) => searchValue({ title, text }) || null,
  });
}
