import { onOneLine } from '../../../common/json-line.js';
import type { ExportedRow } from '../exported-table.js';
import type { ExportFormatDefinition, FileEncoder } from './file-encoder.js';

/** A JSON array with one record per line, so that the file can also be read line by line. */
export class JsonArrayEncoder implements FileEncoder {
  private readonly toJson: RowToJson;
  private separator = '[\n';

  constructor(fields: readonly string[]) {
    this.toJson = rowToJson(fields);
  }

  write(rows: readonly ExportedRow[]): Uint8Array {
    if (rows.length === 0) return Buffer.alloc(0);
    const text = this.separator + onOneLine(rows.map(this.toJson).join(',\n'));
    this.separator = ',\n';
    return Buffer.from(text);
  }

  end(): Uint8Array {
    return Buffer.from(this.separator === '[\n' ? '[]\n' : '\n]\n');
  }
}

/** One JSON record per line. */
export class NdjsonEncoder implements FileEncoder {
  private readonly toJson: RowToJson;

  constructor(fields: readonly string[]) {
    this.toJson = rowToJson(fields);
  }

  write(rows: readonly ExportedRow[]): Uint8Array {
    return Buffer.from(onOneLine(rows.map((row) => `${this.toJson(row)}\n`).join('')));
  }

  end(): Uint8Array {
    return Buffer.alloc(0);
  }
}

/** A JSON array. */
export const JSON_ARRAY: ExportFormatDefinition = {
  name: 'json',
  title: 'JSON',
  contentType: 'application/json; charset=utf-8',
  schemaOf: (record) => ({ type: 'array', items: record }),
  compressesItself: false,
  createEncoder: ({ fields }) => new JsonArrayEncoder(fields.map(({ name }) => name)),
};

/** Newline-delimited JSON. */
export const NDJSON: ExportFormatDefinition = {
  name: 'ndjson',
  title: 'JSON, one record per line',
  contentType: 'application/x-ndjson; charset=utf-8',
  schemaOf: () => ({ type: 'string' }),
  compressesItself: false,
  createEncoder: ({ fields }) => new NdjsonEncoder(fields.map(({ name }) => name)),
};

type RowToJson = (row: ExportedRow) => string;

/** Returns a function that serializes rows as objects with these fields. */
function rowToJson(fields: readonly string[]): RowToJson {
  const names = fields.map((field, index) => `${index === 0 ? '{' : ','}${JSON.stringify(field)}:`);
  return (row) => `${row.map((value, index) => names[index]! + JSON.stringify(value)).join('')}}`;
}
