import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Number of rows sent to Postgres at once. */
const CHUNK_ROWS = 500;

/** Sends rows to a table by COPY. The cells of a row are in the order of `columns`. */
export async function copyRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly unknown[]>,
): Promise<void> {
  await pipeline(
    Readable.from(chunksOf(rows)),
    client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`)),
  );
}

function* chunksOf(rows: Iterable<readonly unknown[]>): Generator<string> {
  let chunk: string[] = [];
  for (const row of rows) {
    chunk.push(copyLine(row));
    if (chunk.length === CHUNK_ROWS) {
      yield `${chunk.join('\n')}\n`;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}

/** A row in the text format of COPY, without the end of the line. */
export function copyLine(row: readonly unknown[]): string {
  return row.map(cell).join('\t');
}

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
