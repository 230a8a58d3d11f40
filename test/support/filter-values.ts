import type { SearchedTable } from '../../src/search/searched-table.js';

/** A value for a filter of a table, by the type of its field. */
export function filterValue({ fields, filters }: SearchedTable, name: string): unknown {
  const { field, operator } = filters[name]!;
  if (operator === 'in') return ['t3_1'];
  switch (fields[field]!.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'float8':
      return 1;
    case 'timestamptz':
      return '2026-01-20T00:00:00Z';
    default:
      return 'Name';
  }
}
