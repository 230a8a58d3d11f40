import type { ExportedRecord } from '../exported-table.js';

/** Encodes records as the bytes of one file. The same records give the same bytes, however they are batched. */
export interface FileEncoder {
  /** The bytes that the records complete; none while they are still gathered. */
  write(records: readonly ExportedRecord[]): Uint8Array;
  /** The bytes that end the file. Call it once, after the last record. */
  end(): Uint8Array;
}
