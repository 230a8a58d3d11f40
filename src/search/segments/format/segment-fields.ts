import { LENGTH, LENGTH_COLUMN } from '../../relevance/score-sql.js';
import { type FieldRule, microseconds, type SearchedTable } from '../../searched-table.js';

/** Names of the columns of numbers in a segment, with their SQL; times are microseconds since 1970. */
export function segmentColumns({ fields }: Pick<SearchedTable, 'fields'>): Record<string, string> {
  const columns: Record<string, string> = {};
  for (const [name, { sql, type, segment }] of Object.entries(fields))
    if (segment && isColumn(type)) columns[name] = type === 'timestamptz' ? microseconds(sql) : sql;
  // The number of different words, by which rows are ranked.
  return { ...columns, [LENGTH_COLUMN]: LENGTH };
}

/** The fields whose values are terms of a segment. */
export const segmentValues = ({ fields }: Pick<SearchedTable, 'fields'>): [name: string, rule: FieldRule][] =>
  Object.entries(fields).filter(([, { segment, type }]) => segment && !isColumn(type));

/** Whether segments store a field of this type as a column of numbers, in place of terms. */
export const isColumn = (type: FieldRule['type']): boolean =>
  type === 'timestamptz' || type === 'integer' || type === 'float8';
