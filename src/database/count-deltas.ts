/** Tables in which triggers record how many rows each statement added to posts and comments. */
type DeltaTable = 'post_count_deltas' | 'comment_count_deltas';

/** A row count and the revision of the workspace's rows for which it is valid. */
export interface VersionedCount {
  /** Increases with every statement that changes rows of the workspace. */
  revision: string;
  total: number;
}

/** Name of the CTE of {@link withDeltaSums}. */
const SUMS = 'delta_sums';

/** Select-list entries that add the sums of {@link withDeltaSums} to each row: `revision` and `total`. */
export const DELTA_SUM_COLUMNS = [
  `(SELECT revision FROM ${SUMS}) AS revision`,
  `(SELECT total FROM ${SUMS}) AS total`,
];

/**
 * A common table expression over a workspace's deltas: `revision`, and `total`, the number of its rows. With `only`,
 * `total` counts only the deltas that match this condition. `workspace` is a placeholder.
 */
export function withDeltaSums(table: DeltaTable, workspace: string, only?: string): string {
  const filter = only === undefined ? '' : ` FILTER (WHERE ${only})`;
  return `WITH ${SUMS} AS (
    SELECT coalesce(sum(revision), 0)::text AS revision, coalesce(sum(rows)${filter}, 0)::int AS total
    FROM ${table} WHERE workspace_id = ${workspace}
  )`;
}

/** Selects a {@link VersionedCount}: from the sums, or by counting the rows that match `where`. */
export function selectCount(sums: string, table: 'posts' | 'comments', where: string | null): string {
  return where === null
    ? `${sums} SELECT revision, total FROM ${SUMS}`
    : `${sums} SELECT (SELECT revision FROM ${SUMS}) AS revision, count(*)::int AS total FROM ${table} WHERE ${where}`;
}
