import { COMPRESSED_SUFFIX, type Compression } from './formats/compression.js';
import type { ExportedKind } from './exported-table.js';

/** The formats of an export. */
export const EXPORT_FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The media type of each format. */
export const CONTENT_TYPE: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

/** The file name, e.g. `posts-technology-2026-11-21.csv`: kind, forum if the export has one, and date. */
export function fileName(
  kind: ExportedKind,
  format: ExportFormat,
  forum: string | undefined,
  now: Date,
): string {
  const name = forum?.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80);
  return [kind, ...(name ? [name] : []), now.toISOString().slice(0, 10)].join('-') + `.${format}`;
}

/** Describes the contents of an export's files. */
interface FileContent {
  kind: ExportedKind;
  format: ExportFormat;
  compression: Compression | null;
}

/** The media type of a part; for a compressed text file, that of the compression. */
export function partContentType({ format, compression }: Omit<FileContent, 'kind'>): string {
  return compression === null || format === 'parquet' ? CONTENT_TYPE[format] : `application/${compression}`;
}

/** The name of a part, e.g. `posts-00001.csv.gz`; names sort in the order of the parts. */
export function partName({ kind, format, compression }: FileContent, number: number): string {
  const suffix = compression === null || format === 'parquet' ? '' : COMPRESSED_SUFFIX[compression];
  return `${kind}-${String(number).padStart(5, '0')}.${format}${suffix}`;
}
