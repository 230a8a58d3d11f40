import json2csv from 'json2csv';
import type { ExportedRow, ExportedValue } from '../exported-table.js';
import type { ExportFormatDefinition, FileEncoder } from './file-encoder.js';

const CRLF = '\r\n';
/** Separates the items of a list in one cell. */
const LIST_SEPARATOR = '|';
/**
 * Spreadsheets interpret a cell that starts with one of these, some also in full width, as a formula; some skip blanks and
 * invisible characters before it.
 */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{Default_Ignorable_Code_Point}\p{C}]*[=+\-@＝＋－＠])/u;

/**
 * CSV by RFC 4180 with a header row. Lists are joined, times are ISO 8601, texts are quoted, and texts that a
 * spreadsheet would run as a formula are escaped.
 */
export class CsvEncoder implements FileEncoder {
  private readonly parser: json2csv.Parser<ExportedRow>;
  private head: string;

  /** With `byteOrderMark`, spreadsheets recognise the file as UTF-8. */
  constructor(names: readonly string[], byteOrderMark = false) {
    const fields = names.map((label, at) => ({ label, value: (row: ExportedRow) => cellOf(row[at]!) }));
    this.head = new json2csv.Parser({ fields, withBOM: byteOrderMark }).parse([]) + CRLF;
    this.parser = new json2csv.Parser({ fields, header: false, eol: CRLF });
  }

  write(rows: readonly ExportedRow[]): Uint8Array {
    return this.withHead(rows.length === 0 ? '' : this.parser.parse(rows) + CRLF);
  }

  end(): Uint8Array {
    return this.withHead('');
  }

  private withHead(text: string): Buffer {
    const bytes = Buffer.from(this.head + text);
    this.head = '';
    return bytes;
  }
}

/** CSV. */
export const CSV: ExportFormatDefinition = {
  name: 'csv',
  title: 'CSV (spreadsheet)',
  contentType: 'text/csv; charset=utf-8',
  schemaOf: () => ({ type: 'string' }),
  compressesItself: false,
  takesByteOrderMark: true,
  createEncoder: ({ fields }, { byteOrderMark }) =>
    new CsvEncoder(
      fields.map(({ name }) => name),
      byteOrderMark,
    ),
};

function cellOf(value: ExportedValue): Exclude<ExportedValue, string[] | null> {
  const cell = Array.isArray(value) ? value.join(LIST_SEPARATOR) : (value ?? '');
  return typeof cell === 'string' && FORMULA_START.test(cell) ? `'${cell}` : cell;
}
