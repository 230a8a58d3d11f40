import { mapInSlices } from '../../../common/slices.js';
import type { ExportedRow, ExportedTable } from '../exported-table.js';
import type { Compression } from './compression.js';

/** Encodes rows as the bytes of one file. The same rows give the same bytes, regardless of how they are batched. */
export interface FileEncoder {
  /** Returns the bytes completed by these rows; empty while they are still buffered. */
  write(rows: readonly ExportedRow[]): Uint8Array;
  /** Returns the bytes that end the file. Call it once, after the last row. */
  end(): Uint8Array;
}

/** Encodes rows in time slices, and returns the bytes completed by them. */
export async function encodedInSlices(
  encoder: FileEncoder,
  rows: readonly ExportedRow[],
): Promise<Uint8Array> {
  return Buffer.concat(await mapInSlices(rows, (row) => encoder.write([row])));
}

/** Options of a file. */
export interface EncoderOptions {
  /** For formats that compress themselves. Default null, for that of the format. */
  compression?: Compression | null;
  /** Begins a file of a format that allows it with a byte order mark. Default false. */
  byteOrderMark?: boolean;
}

/** One file format of exports. It is added to the list in `export-formats.ts`. */
export interface ExportFormatDefinition {
  /** As in `format` of an export, and the extension of its files. */
  name: string;
  /** Name in the dashboard. */
  title: string;
  contentType: string;
  /** The schema of a file in the contract; `record` refers to the schema of a row. */
  schemaOf: (record: { $ref: string }) => {
    type: 'string' | 'array';
    format?: string;
    items?: { $ref: string };
  };
  /** Whether files contain their own compression; files of other formats are compressed as a whole. */
  compressesItself: boolean;
  /** Whether its files may begin with a byte order mark. Default false. */
  takesByteOrderMark?: boolean;
  /** Creates an encoder for one file of a table's rows. */
  createEncoder: (table: ExportedTable, options: EncoderOptions) => FileEncoder;
}
