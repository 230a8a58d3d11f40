import { detectLanguage } from '../text/language/detect-language.js';
import type { RunWithParameters } from './search-values.js';

/** Maximum number of rows that one statement reads and writes. */
const ROWS = 500;
/** The text of a row, of each table. */
const TEXTS = { posts: "title || E'\\n' || selftext", comments: 'body' };
const FIRST = { posts: '', comments: '-9223372036854775808' };
/** Characters read of a text: more do not change its language. */
const MOST_CHARACTERS = 4_000;

interface Row {
  workspaceId: string;
  id: string;
  text: string;
}

/** Finds the language of rows whose column is empty. Each statement handles a few hundred rows. */
export async function fillLanguages(run: RunWithParameters, table: 'posts' | 'comments'): Promise<void> {
  const idType = table === 'posts' ? 'text' : 'bigint';
  let after = { workspaceId: '00000000-0000-0000-0000-000000000000', id: FIRST[table] };
  for (;;) {
    const rows = await run<Row>(
      `SELECT workspace_id AS "workspaceId", id::text AS id, left(${TEXTS[table]}, ${MOST_CHARACTERS}) AS text
       FROM ${table} WHERE (workspace_id, id) > ($1, $2::${idType}) AND language = ''
       ORDER BY workspace_id, id LIMIT ${ROWS}`,
      [after.workspaceId, after.id],
    );
    if (rows.length === 0) return;
    const found = rows.map(({ workspaceId, id, text }) => ({
      workspaceId,
      id,
      language: detectLanguage(text),
    }));
    await run(
      `UPDATE ${table} SET language = found.language
       FROM jsonb_to_recordset($1::jsonb) AS found ("workspaceId" uuid, id ${idType}, language text)
       WHERE ${table}.workspace_id = found."workspaceId" AND ${table}.id = found.id`,
      [JSON.stringify(found)],
    );
    after = rows.at(-1)!;
  }
}
