/** Tables in which triggers keep how many rows each statement added to posts and comments. */
type DeltaTable = 'post_count_deltas' | 'comment_count_deltas';

/** A count of rows and the revision of the workspace's rows on which it was made. */
export interface VersionedCount {
  /** Grows with every statement that changes rows of the workspace. */
  revision: string;
  total: number;
}

/** Name under which the sums of {@link withDeltaSums} can be selected from. */
const SUMS = 'delta_sums';

/** Columns that show the sums of {@link withDeltaSums} beside each row: `revision` and `total`. */
export const DELTA_SUM_COLUMNS = [
  `(SELECT revision FROM ${SUMS}) AS revision`,
  `(SELECT total FROM ${SUMS}) AS total`,
];

/**
 * A common table expression over the deltas of a workspace: `revision`, and `total` as the number of its rows, of those
 * that `only` picks. `workspace` is a placeholder.
 */
export function withDeltaSums(table: DeltaTable, workspace: string, only?: string): string {
  const filter = only === undefined ? '' : ` FILTER (WHERE ${only})`;
  return `WITH ${SUMS} AS (
    SELECT coalesce(sum(revision), 0)::text AS revision, coalesce(sum(rows)${filter}, 0)::int AS total
    FROM ${table} WHERE workspace_id = ${workspace}
  )`;
}

/** Selects a {@link VersionedCount}: from the sums alone, or by counting the rows that match `where`. */
export function selectCount(sums: string, table: 'posts' | 'comments', where: string | null): string {
  return where === null
    ? `${sums} SELECT revision, total FROM ${SUMS}`
    : `${sums} SELECT (SELECT revision FROM ${SUMS}) AS revision, count(*)::int AS total FROM ${table} WHERE ${where}`;
}
