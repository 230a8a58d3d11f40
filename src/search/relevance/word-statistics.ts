import { type Sql, SqlParameters } from '../../database/sql.js';
import type { QueryWord } from '../query/ranked-slots.js';
import type { RunSearch } from '../search-database.js';
import { slotTsquery } from '../query/tsquery.js';
import { type Ranking, rankingOf, type WordStatistics } from './ranking.js';
import { LENGTH } from './score-sql.js';

/** Number of newest rows in which words are counted. */
const NEWEST_ROWS = 2_000;

/** The ranking of words by a workspace's newest rows, which suffice to distinguish frequent words from rare ones. */
export async function rankingByNewest(
  table: 'posts' | 'comments',
  workspaceId: string,
  words: readonly QueryWord[],
  run: RunSearch,
): Promise<Ranking> {
  if (words.length === 0) return { words: [], averageLength: 1 };
  const [statistics] = await run<WordStatistics>(selectStatistics(table, workspaceId, words));
  return rankingOf(words, statistics!);
}

/** How many of the newest rows contain each word. */
function selectStatistics(
  table: 'posts' | 'comments',
  workspaceId: string,
  words: readonly QueryWord[],
): Sql {
  const parameters = new SqlParameters();
  const workspace = parameters.add(workspaceId);
  const counts = words.map(
    (word) => `count(*) FILTER (WHERE search @@ ${parameters.add(slotTsquery(word, null))}::tsquery)`,
  );
  return {
    text: `SELECT count(*)::int AS rows, coalesce(avg(${LENGTH}), 0)::float8 AS "averageLength",
        to_json(ARRAY[${counts.join(', ')}]::int[]) AS "rowsWithWord"
      FROM (SELECT search FROM ${table} WHERE workspace_id = ${workspace}
            ORDER BY created_utc DESC, id DESC LIMIT ${NEWEST_ROWS}) AS newest`,
    parameters: parameters.values,
  };
}
