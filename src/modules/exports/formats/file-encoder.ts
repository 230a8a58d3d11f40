import type { ExportedRow } from '../exported-table.js';

/** Encodes rows as the bytes of one file. The same rows give the same bytes, however they are batched. */
export interface FileEncoder {
  /** The bytes that the rows complete; none while they are still gathered. */
  write(rows: readonly ExportedRow[]): Uint8Array;
  /** The bytes that end the file. Call it once, after the last row. */
  end(): Uint8Array;
}
