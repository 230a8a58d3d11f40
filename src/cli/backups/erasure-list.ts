import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { onOneLine } from '../../common/json-line.js';

/** The tables of the list, in the order in which their rows refer to each other. */
const TABLES = ['workspace_keys', 'suppressions', 'suppressed_hashes', 'erasures'] as const;
const OWNERS = 'workspaces';
const ROWS_AT_ONCE = 10_000;

/** An erasure of a restored list starts again, without its subject. */
const RESTORED = {
  phase: 'begin',
  sealed_subject: null,
  scanned_to: null,
  lease_until: null,
  completed_at: null,
};

/**
 * Writes the erasures and suppressions of all workspaces as lines `{ "table", "row" }`: hashes and encrypted keys, no names.
 * Returns the number of erasures.
 */
export async function writeErasureList(
  query: <Row>(sql: string, parameters: unknown[]) => Promise<Row[]>,
  file: string,
): Promise<number> {
  const stream = createWriteStream(file, { mode: 0o600 });
  let count = 0;
  for (const table of TABLES)
    for (let offset = 0, isMore = true; isMore; offset += ROWS_AT_ONCE) {
      const rows = await query<{ row: object }>(
        `SELECT to_jsonb(listed) AS row FROM ${table} AS listed ORDER BY listed LIMIT $1 OFFSET $2`,
        [ROWS_AT_ONCE, offset],
      );
      if (table === 'erasures') count += rows.length;
      for (const { row } of rows)
        if (!stream.write(`${onOneLine(JSON.stringify({ table, row }))}\n`)) await once(stream, 'drain');
      isMore = rows.length === ROWS_AT_ONCE;
    }
  stream.end();
  await finished(stream);
  return count;
}

/**
 * Adds the rows of a list that a restored database lacks; returns the number of erasures, which the service carries out
 * at its next start. Rows of workspaces that the backup does not have are skipped. Throws for a file that is no list.
 */
export async function addErasureList(
  run: (sql: string, parameters: unknown[]) => Promise<{ rowCount: number | null }>,
  file: string,
): Promise<number> {
  let count = 0;
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    line += 1;
    if (text === '') continue;
    const { table, row } = parsed(text, `${file}, line ${line}`);
    const added = await run(
      `INSERT INTO ${table} SELECT listed.* FROM jsonb_populate_record(NULL::${table}, $1) AS listed
       WHERE EXISTS (SELECT FROM ${OWNERS} AS owner WHERE owner.id = listed.workspace_id) ON CONFLICT DO NOTHING`,
      [JSON.stringify(table === 'erasures' ? { ...row, ...RESTORED } : row)],
    );
    if (table === 'erasures') count += added.rowCount ?? 0;
  }
  return count;
}

function parsed(text: string, place: string): { table: (typeof TABLES)[number]; row: object } {
  const refuse = (): never => {
    throw new Error(`${place} is not of a list that npm run workspace -- erasures --to FILE wrote`);
  };
  try {
    const { table: named, row } = JSON.parse(text) as { table?: unknown; row?: unknown };
    const table = TABLES.find((one) => one === named);
    return table !== undefined && typeof row === 'object' && row !== null ? { table, row } : refuse();
  } catch (error) {
    if (error instanceof SyntaxError) refuse();
    throw error;
  }
}
