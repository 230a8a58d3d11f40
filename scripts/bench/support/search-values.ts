import type pg from 'pg';
import { searchValue } from '../../../src/text/search-value.js';

/** Maximum number of rows that one statement reads and writes. */
const ROWS = 500;
const TABLES = {
  posts: { id: 'text', first: '', texts: 'title, selftext AS text' },
  comments: { id: 'bigint', first: '-9223372036854775808', texts: `'' AS title, body AS text` },
};

interface FoundRow {
  workspaceId: string;
  id: string;
  title: string;
  text: string;
}

/** Computes the words of rows that have none, because SQL wrote them. */
export async function fillSearchValues(
  client: Pick<pg.ClientBase, 'query'>,
  table: keyof typeof TABLES,
): Promise<void> {
  const { id, first, texts } = TABLES[table];
  let after = { workspaceId: '00000000-0000-0000-0000-000000000000', id: first };
  for (;;) {
    const { rows } = await client.query<FoundRow>(
      `SELECT workspace_id AS "workspaceId", id::text AS id, ${texts} FROM ${table}
       WHERE (workspace_id, id) > ($1, $2::${id}) AND search = '' ORDER BY workspace_id, id LIMIT ${ROWS}`,
      [after.workspaceId, after.id],
    );
    if (rows.length === 0) return;
    const filled = rows.map((row) => ({ workspaceId: row.workspaceId, id: row.id, value: searchValue(row) }));
    await client.query(
      `UPDATE ${table} SET search = filled.value
       FROM jsonb_to_recordset($1::jsonb) AS filled ("workspaceId" uuid, id ${id}, value tsvector)
       WHERE ${table}.workspace_id = filled."workspaceId" AND ${table}.id = filled.id AND filled.value <> ''`,
      [JSON.stringify(filled)],
    );
    after = rows.at(-1)!;
  }
}
