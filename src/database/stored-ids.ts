import type { RunWithParameters } from './fill-column.js';

/** A row of a workspace by its id on its platform. */
export interface StoredId {
  workspaceId: string;
  id: string;
}

/** A table with content of workspaces: its key beside the workspace with its type, and the column of platform ids. */
export interface ContentTable {
  name: 'posts' | 'comments';
  keyType: 'text' | 'bigint';
  idColumn: string;
}

/** What is looked for: keys of rows, and beginnings of platform ids. */
export interface WantedIds {
  workspaceIds: readonly string[];
  keys: readonly (string | number)[];
  beginnings: readonly string[];
}

/**
 * Which of the workspaces have which of the wanted rows. Crosses workspaces; a search by beginnings reads all their rows.
 */
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
  if (beginnings.length === 0) return byKey;
  const byBeginning = await run<StoredId>(
    `${select} FROM ${name} AS found WHERE found.workspace_id = ANY ($1::uuid[])
       AND EXISTS (SELECT FROM unnest($2::text[]) AS beginning WHERE starts_with(found.${idColumn}, beginning))`,
    [workspaceIds, beginnings],
  );
  return [...byKey, ...byBeginning];
}
