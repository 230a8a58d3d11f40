import { searchValue } from '../text/search-value.js';

/** Executes SQL and returns its rows. */
export type RunWithParameters = <Row>(sql: string, parameters: unknown[]) => Promise<Row[]>;

/** Maximum number of rows that one statement reads and writes. */
const ROWS = 500;
/** Columns of the texts of a table. */
const TEXTS = {
  posts: { title: 'title', text: 'selftext', first: '' },
  comments: { title: "''", text: 'body', first: '-9223372036854775808' },
};

interface Row {
  workspaceId: string;
  id: string;
  title: string;
  text: string;
}

/**
 * Computes the words of rows that have none, because SQL wrote them, or of all rows. Each statement handles a few
 * hundred rows.
 */
export async function fillSearchValues(
  run: RunWithParameters,
  table: 'posts' | 'comments',
  which: 'empty' | 'all' = 'empty',
): Promise<void> {
  const isWanted = which === 'all' ? 'true' : `search = ''`;
  const { title, text, first } = TEXTS[table];
  const idType = table === 'posts' ? 'text' : 'bigint';
  let after = { workspaceId: '00000000-0000-0000-0000-000000000000', id: first };
  for (;;) {
    const rows = await run<Row>(
      `SELECT workspace_id AS "workspaceId", id::text AS id, ${title} AS title, ${text} AS text FROM ${table}
       WHERE (workspace_id, id) > ($1, $2::${idType}) AND ${isWanted} ORDER BY workspace_id, id LIMIT ${ROWS}`,
      [after.workspaceId, after.id],
    );
    if (rows.length === 0) return;
    const values = rows.map(({ workspaceId, id, title: ofTitle, text: ofText }) => ({
      workspaceId,
      id,
      search: searchValue({ title: ofTitle, text: ofText }),
    }));
    await run(
      `UPDATE ${table} SET search = filled.search
       FROM jsonb_to_recordset($1::jsonb) AS filled ("workspaceId" uuid, id ${idType}, search tsvector)
       WHERE ${table}.workspace_id = filled."workspaceId" AND ${table}.id = filled.id`,
      [JSON.stringify(values.filter(({ search }) => search !== ''))],
    );
    after = rows.at(-1)!;
  }
}
