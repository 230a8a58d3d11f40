import { type Sql, SqlParameters } from '../../database/sql.js';
import type { SearchedTable } from '../searched-table.js';

/** Number of newest rows of which the words are read. */
const NEWEST_ROWS = 2_000;
/** Maximum number of words; the most frequent ones. */
const MAX_WORDS = 20_000;

/**
 * The words of a workspace's newest rows that have a length between two bounds, or are among `wanted`, most frequent
 * first. They are read from the index values, not from the texts.
 */
export function selectVocabulary(
  { name }: Pick<SearchedTable, 'name'>,
  workspaceId: string,
  wanted: readonly string[],
  { least, most }: { least: number; most: number },
): Sql {
  const parameters = new SqlParameters();
  const workspace = parameters.add(workspaceId);
  const isWanted = `word.lexeme = ANY (${parameters.add(wanted)}::text[])`;
  const length = `char_length(word.lexeme) BETWEEN ${parameters.add(least)} AND ${parameters.add(most)}`;
  return {
    text: `SELECT word.lexeme, count(*)::int AS rows
      FROM (SELECT search FROM ${name} WHERE workspace_id = ${workspace}
            ORDER BY created_utc DESC, id DESC LIMIT ${NEWEST_ROWS}) AS newest
      CROSS JOIN LATERAL unnest(newest.search) AS word
      WHERE ${isWanted} OR (${length} AND left(word.lexeme, 1) NOT IN ('~', '^'))
      GROUP BY word.lexeme ORDER BY rows DESC, word.lexeme LIMIT ${MAX_WORDS}`,
    parameters: parameters.values,
  };
}
