import type { ExportedRow } from '../exported-table.js';

/** Encodes rows as the bytes of one file. The same rows give the same bytes, regardless of how they are batched. */
export interface FileEncoder {
  /** Returns the bytes completed by these rows; empty while they are still buffered. */
  write(rows: readonly ExportedRow[]): Uint8Array;
  /** Returns the bytes that end the file. Call it once, after the last row. */
  end(): Uint8Array;
}
