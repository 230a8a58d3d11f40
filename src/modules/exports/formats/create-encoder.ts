import type { ExportFormat } from '../export-format.js';
import type { ExportedTable } from '../exported-table.js';
import type { Compression } from './compression.js';
import { CsvEncoder } from './csv-encoder.js';
import type { FileEncoder } from './file-encoder.js';
import { JsonArrayEncoder, NdjsonEncoder } from './json-encoders.js';
import { ParquetEncoder, type RowGroupLimits } from './parquet-encoder.js';

/** How a Parquet file is written. */
export interface ParquetOptions {
  /** Of its pages. */
  compression: Compression | null;
  rowGroup: RowGroupLimits;
}

/** An encoder for one file of a table's rows. Text is compressed as a whole by the caller. */
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
