import { Problem } from '../../http/problems/problem.js';
import { EXPORTED_TABLES, type ExportedKind, type ExportedTable } from './exported-table.js';
import type { FileEncoder } from './formats/file-encoder.js';

/** Names of the columns that an export of a kind can have, in the order of the API. */
export const columnsOfKind = (kind: ExportedKind): string[] =>
  EXPORTED_TABLES[kind].fields.map(({ name }) => name);

/** Throws 400 for columns that exports of this kind do not have. */
export function requireColumns(kind: ExportedKind, columns: readonly string[]): void {
  const allowed = columnsOfKind(kind);
  const unknown = columns.filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return;
  throw Problem.validation([
    {
      field: 'columns',
      message: `columns must be fields of ${kind}. Unknown: ${unknown.join(', ')}. Allowed: ${allowed.join(', ')}.`,
    },
  ]);
}

/**
 * An encoder of some columns, in their order, which is given whole rows of the table; null for all columns. `create`
 * makes the encoder of a table's rows. Throws for a column that the table does not have.
 */
export function encoderOfColumns(
  table: ExportedTable,
  columns: readonly string[] | null,
  create: (table: ExportedTable) => FileEncoder,
): FileEncoder {
  if (columns === null) return create(table);
  const places = columns.map((name) => placeOf(table, name));
  const encoder = create({ ...table, fields: places.map((at) => table.fields[at]!) });
  return {
    write: (rows) => encoder.write(rows.map((row) => places.map((at) => row[at]!))),
    end: () => encoder.end(),
  };
}

function placeOf({ fields }: ExportedTable, column: string): number {
  const at = fields.findIndex(({ name }) => name === column);
  if (at === -1) throw new Error(`exports have no column ${column}`);
  return at;
}
