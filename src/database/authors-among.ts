import type { RunWithParameters } from './run-sql.js';

/** Those of the names, in lower case, that an author in the table has. */
export async function findAuthorsAmong(
  run: RunWithParameters,
  table: 'posts' | 'comments',
  workspaceId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await run<{ name: string }>(
    // With EXISTS, the planner may read all rows of the workspace each time instead of an index for each name.
    `SELECT name FROM unnest($2::text[]) AS given (name) CROSS JOIN LATERAL (
       SELECT FROM ${table} WHERE workspace_id = $1 AND lower(author) = given.name LIMIT 1) AS found`,
    [workspaceId, names],
  );
  return rows.map(({ name }) => name);
}
