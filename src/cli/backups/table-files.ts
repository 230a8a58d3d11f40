import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { hashing, type DumpedSequence, type DumpedTable } from './manifest.js';

const FOLDER = 'tables';
/** Compresses rows to a quarter of their size, as fast as Postgres sends them. */
const COMPRESSION_LEVEL = 1;

/** Writes every row of the public schema except derived ones as the client's transaction sees it, one compressed file per table. */
export async function dumpTables(client: pg.Client, folder: string): Promise<DumpedTable[]> {
  await mkdir(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  // The format of values must not depend on settings of the server or the role.
  await client.query(`SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL extra_float_digits = 1;
    SET LOCAL statement_timeout = 0; SET LOCAL row_security = off`);
  const dumped: DumpedTable[] = [];
  for (const { name, columns } of await tablesOf(client)) {
    if (DERIVED.includes(name)) continue;
    const file = `${FOLDER}/${name}.copy.gz`;
    const rows = client.query(copyTo(`COPY ${quotedList([name])} (${quotedList(columns)}) TO STDOUT`));
    const hash = createHash('sha256');
    await pipeline(
      rows,
      createGzip({ level: COMPRESSION_LEVEL }),
      hashing(hash),
      createWriteStream(join(folder, file), { mode: 0o600, flush: true }),
    );
    dumped.push({ name, columns, rows: rows.rowCount, file, sha256: hash.digest('hex') });
  }
  return dumped;
}

/**
 * Tables that are not part of a backup: the search index, which is built again after a restore, and arrivals, whose
 * transactions another server does not know.
 */
const DERIVED = ['arrivals', 'search_changes', 'search_segments', 'search_blocks'];

/** Tables whose ids the nodes of a cluster give, each in a range that starts again on the nodes of another cluster. */
const NUMBERED_ON_NODES = ['post_count_deltas', 'comment_count_deltas'];

/** Generated columns are omitted. */
async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/**
 * The state of every sequence. Sequences are read after the tables, so that their values are at least as high as those
 * in the rows.
 */
export async function readSequences(client: pg.Client): Promise<DumpedSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY relname`,
  );
  const sequences: DumpedSequence[] = [];
  for (const { name } of rows) {
    const { rows: states } = await client.query<Omit<DumpedSequence, 'name'>>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${name}`,
    );
    sequences.push({ name, ...states[0]! });
  }
  return sequences;
}

/**
 * Replaces the rows of a migrated database with those of a backup, in one transaction. Needs a superuser, because
 * triggers and foreign keys are disabled: their effects are already in the rows. Throws when a table has a different
 * number of rows than was dumped.
 */
export async function loadTables(
  client: pg.Client,
  folder: string,
  { tables, sequences }: { tables: readonly DumpedTable[]; sequences: readonly DumpedSequence[] },
): Promise<void> {
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  // Postgres writes no WAL for each row of a table that is emptied in the same transaction.
  await client.query(`TRUNCATE ${quotedList((await tablesOf(client)).map(({ name }) => name))}`);
  const indexes = await dropIndexes(client);
  for (const { name, columns, file, rows } of tables) {
    const target = client.query(copyFrom(`COPY ${quotedList([name])} (${quotedList(columns)}) FROM STDIN`));
    await pipeline(createReadStream(join(folder, file)), createGunzip(), target);
    if (target.rowCount !== rows)
      throw new Error(`${file} has ${target.rowCount} rows, but the manifest says ${rows}`);
  }
  for (const { definition } of indexes) await client.query(definition);
  for (const { name, lastValue, isCalled } of sequences)
    await client.query('SELECT setval($1::regclass, $2, $3)', [name, lastValue, isCalled]);
  for (const name of NUMBERED_ON_NODES)
    await client.query(
      `UPDATE ${name} SET id = nextval('${name}_id_seq') WHERE id > (SELECT last_value FROM ${name}_id_seq)`,
    );
  await client.query('COMMIT');
  await client.query('ANALYZE');
}

/** Building indexes from all rows at once is faster than adding rows one by one. Indexes of constraints are kept. */
async function dropIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid)`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows;
}

function quotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
