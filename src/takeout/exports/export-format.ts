import { COMPRESSED_SUFFIX, type Compression } from './formats/compression.js';
import type { ExportedKind } from './exported-table.js';
import { EXPORT_FORMATS } from './formats/export-formats.js';
import type { ExportFormatDefinition } from './formats/file-encoder.js';

/** The file name, e.g. `posts-technology-2026-11-21.csv`: kind, forum if the export has one, and date. */
export function fileName(kind: ExportedKind, format: string, forum: string | undefined, now: Date): string {
  const name = forum?.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80);
  return [kind, ...(name ? [name] : []), now.toISOString().slice(0, 10)].join('-') + `.${format}`;
}

/** Describes the contents of an export's files. */
interface FileContent {
  kind: ExportedKind;
  format: string;
  compression: Compression | null;
}

/** The media type of a format without parameters. */
export function mediaType({ contentType }: Pick<ExportFormatDefinition, 'contentType'>): string {
  return contentType.split(';', 1)[0]!;
}

/** Whether a file of a format is compressed as a whole with the given compression. */
export function isCompressedAsWhole(
  format: string,
  compression: Compression | null,
): compression is Compression {
  return compression !== null && !EXPORT_FORMATS.get(format).compressesItself;
}

/** The media type of a part; for a compressed text file, that of the compression. */
export function partContentType({ format, compression }: Omit<FileContent, 'kind'>): string {
  const { contentType } = EXPORT_FORMATS.get(format);
  return isCompressedAsWhole(format, compression) ? `application/${compression}` : contentType;
}

/** The name of a part, e.g. `posts-00001.csv.gz`; names sort in the order of the parts. */
export function partName({ kind, format, compression }: FileContent, number: number): string {
  const suffix = isCompressedAsWhole(format, compression) ? COMPRESSED_SUFFIX[compression] : '';
  return `${kind}-${String(number).padStart(5, '0')}.${format}${suffix}`;
}
