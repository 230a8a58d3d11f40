import type { Schemas } from '../../api/client.ts';

/** Length of a value that lists do not have, such as a label. */
const USUAL_LENGTH = 8;

type Format = Schemas['CreateExportDto']['format'];
export type Row = Readonly<Record<string, unknown>>;

/** Some rows of an export and the number of all. */
export interface Sample {
  rows: readonly Row[];
  total: number;
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Bytes of some columns of a row as a file contains them before compression. */
export function rowBytes(row: Row, columns: readonly string[], format: Format): number {
  const isJson = format === 'json' || format === 'ndjson';
  // The names with their marks, and the braces; the separators, and the end of the line.
  const [start, each] = isJson ? [2, 4] : [1, 1];
  return columns.reduce(
    (sum, name) => sum + valueBytes(row[name], isJson) + each + (isJson ? name.length : 0),
    start,
  );
}

function valueBytes(value: unknown, isJson: boolean): number {
  if (value === undefined) return USUAL_LENGTH;
  const text = Array.isArray(value) && !isJson ? value.join('|') : value;
  return bytesOf(JSON.stringify(text));
}

/** The size of an export before compression, in bytes; null without a row to measure. */
export function estimatedBytes(
  { rows, total }: Sample,
  columns: readonly string[],
  format: Format,
): number | null {
  if (rows.length === 0) return null;
  const measured = rows.reduce((sum, row) => sum + rowBytes(row, columns, format), 0);
  return Math.round((measured / rows.length) * total);
}
