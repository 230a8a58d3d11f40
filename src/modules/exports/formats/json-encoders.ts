import type { ExportedRow } from '../exported-table.js';
import type { FileEncoder } from './file-encoder.js';

/** A JSON array with one record a line, so that the file can be read line by line too. */
export class JsonArrayEncoder implements FileEncoder {
  private readonly toJson: RowToJson;
  private separator = '[\n';

  constructor(fields: readonly string[]) {
    this.toJson = rowToJson(fields);
  }

  write(rows: readonly ExportedRow[]): Uint8Array {
    if (rows.length === 0) return Buffer.alloc(0);
    const text = this.separator + rows.map(this.toJson).join(',\n');
    this.separator = ',\n';
    return Buffer.from(text);
  }

  end(): Uint8Array {
    return Buffer.from(this.separator === '[\n' ? '[]\n' : '\n]\n');
  }
}

/** A JSON record a line. */
export class NdjsonEncoder implements FileEncoder {
  private readonly toJson: RowToJson;

  constructor(fields: readonly string[]) {
    this.toJson = rowToJson(fields);
  }

  write(rows: readonly ExportedRow[]): Uint8Array {
    return Buffer.from(rows.map((row) => `${this.toJson(row)}\n`).join(''));
  }

  end(): Uint8Array {
    return Buffer.alloc(0);
  }
}

type RowToJson = (row: ExportedRow) => string;

/** Writes rows as objects of these fields. */
function rowToJson(fields: readonly string[]): RowToJson {
  const names = fields.map((field, index) => `${index === 0 ? '{' : ','}${JSON.stringify(field)}:`);
  return (row) => `${row.map((value, index) => names[index]! + JSON.stringify(value)).join('')}}`;
}
