import { EXPORTED_TABLES, type ExportedKind, type ExportedValue } from '../takeout/exports/exported-table.js';
import { mediaType } from '../takeout/exports/export-format.js';
import { EXPORT_FORMATS } from '../takeout/exports/formats/export-formats.js';

/** The file of one record in each format that is a text but no JSON document, by media type. */
export function exportedFiles(
  kind: ExportedKind,
  record: Readonly<Record<string, ExportedValue>>,
): Record<string, string> {
  const table = EXPORTED_TABLES[kind];
  const row = table.fields.map(({ name }) => record[name] ?? null);
  return Object.fromEntries(
    EXPORT_FORMATS.all.flatMap((definition) => {
      const { type, format } = definition.schemaOf({ $ref: '' });
      if (type !== 'string' || format === 'binary') return [];
      const encoder = definition.createEncoder(table, {});
      const file = Buffer.concat([encoder.write([row]), encoder.end()]);
      return [[mediaType(definition), file.toString('utf8')]];
    }),
  );
}
