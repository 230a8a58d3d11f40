import type { RunWithParameters } from './run-sql.js';

/** A row of a workspace by its id on its platform. */
export interface StoredId {
  workspaceId: string;
  id: string;
}

/** A table with content of workspaces: its key after the workspace with its type, and the column of platform ids. */
export interface ContentTable {
  name: 'posts' | 'comments';
  keyType: 'text' | 'bigint';
  idColumn: string;
}

/** The ids to look for: keys of rows, and beginnings of platform ids. */
export interface WantedIds {
  workspaceIds: readonly string[];
  keys: readonly (string | number)[];
  beginnings: readonly string[];
}

/** A condition on a column of ids: begins with one of `beginning`, by an index in the order of bytes. */
export const beginsWith = (column: string, beginning: string): string =>
  `(${column} ~>=~ ${beginning} AND ${column} ~<~ (${beginning} || chr(1114111)))`;

/** The indexes by beginnings hold the ids with one prefix, which a statement must name. */
const PREFIX = /^[a-z]{1,20}_/;

/** Which of the workspaces have which of the wanted rows. Crosses workspaces. */
export async function findStoredIds(
  run: RunWithParameters,
  { name, keyType, idColumn }: ContentTable,
  { workspaceIds, keys, beginnings }: WantedIds,
): Promise<StoredId[]> {
  const select = `SELECT found.workspace_id AS "workspaceId", found.${idColumn} AS id`;
  const byKey =
    keys.length === 0
      ? []
      : await run<StoredId>(
          `${select} FROM unnest($1::uuid[]) AS workspace (id)
           JOIN ${name} AS found ON found.workspace_id = workspace.id AND found.id = ANY ($2::${keyType}[])`,
          [workspaceIds, keys],
        );
  const found = [...byKey];
  for (const prefix of new Set(beginnings.map((beginning) => PREFIX.exec(beginning)?.[0])))
    if (prefix !== undefined)
      found.push(
        ...(await run<StoredId>(
          `${select} FROM unnest($2::text[]) AS beginning JOIN ${name} AS found
             ON starts_with(found.${idColumn}, '${prefix}') AND ${beginsWith(`found.${idColumn}`, 'beginning')}
           WHERE found.workspace_id = ANY ($1::uuid[])`,
          [workspaceIds, beginnings.filter((beginning) => beginning.startsWith(prefix))],
        )),
      );
  return found;
}
