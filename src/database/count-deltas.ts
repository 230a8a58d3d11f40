/** Columns of a page that has its tally beside it. */
export const TALLY_COLUMNS = ['(SELECT stamp FROM tally) AS stamp', '(SELECT tallied FROM tally) AS tallied'];

/**
 * What the triggers of a table have tallied of a workspace: `stamp` changes with every change of a row, `tallied` is how
 * many rows there are, of those that `only` picks. `workspace` is a placeholder.
 */
export function selectTally(
  table: 'post_tallies' | 'comment_tallies',
  workspace: string,
  only?: string,
): string {
  const filter = only === undefined ? '' : ` FILTER (WHERE ${only})`;
  return (
    `SELECT coalesce(sum(changes), 0)::text AS stamp, coalesce(sum(rows)${filter}, 0)::int AS tallied ` +
    `FROM ${table} WHERE workspace_id = ${workspace}`
  );
}

/** `total` and the `stamp` of what was counted, of one moment; without `where` the tally knows the total. */
export function selectTotal(table: 'posts' | 'comments', tally: string, where: string | null): string {
  return where === null
    ? `SELECT stamp, tallied AS total FROM (${tally}) AS tally`
    : `WITH tally AS (${tally}) SELECT (SELECT stamp FROM tally) AS stamp, count(*)::int AS total FROM ${table} WHERE ${where}`;
}
