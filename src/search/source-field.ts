import { SOURCES } from '../platforms/registry.js';
import type { FieldRule } from './searched-table.js';

/** The source of a row, which follows from the form of the platform id in a column. */
export const sourceField = (idColumn: string): FieldRule => ({
  // A platform may be registered after this module was loaded.
  get sql() {
    return SOURCES.sourceSql(idColumn);
  },
  type: 'text',
  segment: true,
  facet: true,
  sort: false,
});
