import type { ExportFormat } from '../export-format.js';
import type { ExportedTable } from '../exported-table.js';
import type { Compression } from './compression.js';
import { CsvEncoder } from './csv-encoder.js';
import type { FileEncoder } from './file-encoder.js';
import { JsonArrayEncoder, NdjsonEncoder } from './json-encoders.js';
import { ParquetEncoder, type RowGroupLimits } from './parquet-encoder.js';

/** Options of a Parquet file. */
export interface ParquetOptions {
  /** Compression of its pages. */
  compression: Compression | null;
  rowGroup: RowGroupLimits;
}

/** Creates an encoder for one file of a table's rows. The caller compresses text formats as a whole. */
export function createEncoder(
  format: ExportFormat,
  table: ExportedTable,
  parquet: ParquetOptions,
): FileEncoder {
  const names = table.fields.map(({ name }) => name);
  switch (format) {
    case 'csv':
      return new CsvEncoder(names);
    case 'json':
      return new JsonArrayEncoder(names);
    case 'ndjson':
      return new NdjsonEncoder(names);
    case 'parquet':
      return new ParquetEncoder(table.fields, parquet.compression, parquet.rowGroup);
  }
}
