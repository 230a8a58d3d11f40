import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Number of lines sent to Postgres at once. */
const CHUNK_LINES = 500;

/** Sends rows to a table by COPY; all have the columns of the first. */
export async function copyRows(
  client: pg.Client,
  table: string,
  rows: Generator<Record<string, unknown>, void>,
): Promise<void> {
  const next = rows.next();
  if (next.done) return;
  const first = next.value;
  const lines = function* (): Generator<string> {
    yield copyLine(Object.values(first));
    for (const row of rows) yield copyLine(Object.values(row));
  };
  await copyLines(client, table, Object.keys(first), lines());
}

/** Sends lines of {@link copyLine} to a table by COPY. */
export async function copyLines(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  lines: Iterable<string>,
): Promise<void> {
  const copying = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  await pipeline(Readable.from(chunksOf(lines)), copying);
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length < CHUNK_LINES) continue;
    yield `${chunk.join('\n')}\n`;
    chunk = [];
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}

/** A row in the text format of COPY, without the end of the line. */
export const copyLine = (row: readonly unknown[]): string => row.map(cell).join('\t');

function cell(value: unknown): string {
  if (value === null) return '\\N';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = textOf(value);
  return /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text;
}

function textOf(value: unknown): string {
  if (Array.isArray(value))
    return `{${value.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
