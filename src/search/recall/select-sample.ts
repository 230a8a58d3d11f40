import { type Sql, SqlParameters } from '../../database/sql.js';
import { conditionOfText } from '../query/ranked-slots.js';
import type { SearchRequest } from '../search-request.js';
import { conditionOf } from '../sql/conditions.js';
import { querySql } from '../sql/query-sql.js';

/** A row of a sample. */
export interface SampledText {
  id: string;
  text: string;
}

/** Characters of each text that are read. */
const MAX_CHARACTERS = 1_000;

/**
 * About `most` of the rows that match the filter, or that only its `q` leaves out; all, if there are no more. Chosen by
 * a hash of their ids, so that the same rows give the same sample.
 */
export function selectSample(
  { table, workspaceId, filter, idColumn }: SearchRequest & { idColumn: string },
  isFound: boolean,
  { rows, most }: { rows: number; most: number },
): Sql {
  const parameters = new SqlParameters();
  const { q, ...places } = filter;
  const where = [conditionOf(table, workspaceId, isFound ? filter : places, parameters)];
  if (rows > most) {
    const parts = parameters.add(Math.ceil(rows / most));
    where.push(`abs(hashtextextended(id::text, 0) % ${parts}::int) = 0`);
  }
  if (!isFound) {
    const matches = querySql(conditionOfText(q ?? ''), table.fields, (value) => parameters.add(value));
    where.push(`(${matches}) IS NOT TRUE`);
  }
  const text = `left(concat_ws(E'\\n', ${table.texts.join(', ')}), ${MAX_CHARACTERS})`;
  return {
    text: `SELECT ${idColumn} AS id, ${text} AS text FROM ${table.name} WHERE ${where.join(' AND ')}
      ORDER BY id LIMIT ${parameters.add(most)}`,
    parameters: parameters.values,
  };
}
