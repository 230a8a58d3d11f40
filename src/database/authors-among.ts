import type { RunWithParameters, TextTable } from './fill-column.js';

/** Those of the names, in lower case, that an author in the table has. */
export async function findAuthorsAmong(
  run: RunWithParameters,
  table: TextTable,
  workspaceId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await run<{ name: string }>(
    `SELECT name FROM unnest($2::text[]) AS given (name)
     WHERE EXISTS (SELECT FROM ${table} WHERE workspace_id = $1 AND lower(author) = given.name)`,
    [workspaceId, names],
  );
  return rows.map(({ name }) => name);
}
