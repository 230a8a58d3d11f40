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

/** `posts-technology-2026-11-21.csv`: what it holds, of which forum when one was asked for, and when. */
export function fileName(
  kind: ExportedKind,
  format: ExportFormat,
  forum: string | undefined,
  now: Date,
): string {
  const name = forum?.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80);
  return [kind, ...(name ? [name] : []), now.toISOString().slice(0, 10)].join('-') + `.${format}`;
}
