/** Executes SQL and returns its rows. */
export type RunWithParameters = <Row>(sql: string, parameters: unknown[]) => Promise<Row[]>;

/** A table with texts of strangers. */
export type TextTable = 'posts' | 'comments';

/** A column that is computed from the texts of its row. */
export interface DerivedColumn<Texts> {
  name: string;
  /** Its type in Postgres. */
  type: string;
  /** The texts that are read, as a select list. */
  texts: string;
  /** The condition of the rows to fill. */
  isWanted: string;
  /** The value; null leaves the row as it is. */
  valueOf: (texts: Texts) => string | null;
}

/** Maximum number of rows that one statement reads and writes. */
const ROWS = 500;
const FIRST_WORKSPACE = '00000000-0000-0000-0000-000000000000';
const IDS = {
  posts: { type: 'text', first: '' },
  comments: { type: 'bigint', first: '-9223372036854775808' },
};

/** Fills a column in the order of workspaces and ids. Each statement handles a few hundred rows. */
export async function fillColumn<Texts>(
  run: RunWithParameters,
  table: TextTable,
  { name, type, texts, isWanted, valueOf }: DerivedColumn<Texts>,
): Promise<void> {
  const ids = IDS[table];
  let after = { workspaceId: FIRST_WORKSPACE, id: ids.first };
  for (;;) {
    const rows = await run<Texts & typeof after>(
      `SELECT workspace_id AS "workspaceId", id::text AS id, ${texts} FROM ${table}
       WHERE (workspace_id, id) > ($1, $2::${ids.type}) AND ${isWanted} ORDER BY workspace_id, id LIMIT ${ROWS}`,
      [after.workspaceId, after.id],
    );
    if (rows.length === 0) return;
    const filled = rows.map((row) => ({ workspaceId: row.workspaceId, id: row.id, value: valueOf(row) }));
    await run(
      `UPDATE ${table} SET ${name} = filled.value
       FROM jsonb_to_recordset($1::jsonb) AS filled ("workspaceId" uuid, id ${ids.type}, value ${type})
       WHERE ${table}.workspace_id = filled."workspaceId" AND ${table}.id = filled.id`,
      [JSON.stringify(filled.filter(({ value }) => value !== null))],
    );
    after = rows.at(-1)!;
  }
}
