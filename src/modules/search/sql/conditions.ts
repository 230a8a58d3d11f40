import type { VersionedCount } from '../../../database/count-deltas.js';
import type { SqlParameters } from '../../../database/sql.js';
import { highlightColumns } from '../highlights.js';
import { conditionOfText } from '../query/ranked-slots.js';
import { querySql } from './query-sql.js';
import type { SearchFilter } from '../search-request.js';
import { type FieldRule, type FilterRule, hasName, type SearchedTable } from '../searched-table.js';

/** With so many matching rows, reading in order soon finds enough of them. */
const MANY_MATCHES = 10_000;

/** The condition under which a row of the workspace matches the filter. */
export function conditionOf(
  table: Pick<SearchedTable, 'fields' | 'filters'>,
  workspaceId: string,
  filter: SearchFilter,
  parameters: SqlParameters,
): string {
  const own = `workspace_id = ${parameters.add(workspaceId)}`;
  return [own, ...comparisonsOf(table, filter, parameters)].join(' AND ');
}

/** The condition of each given filter. */
export function comparisonsOf(
  { fields, filters }: Pick<SearchedTable, 'fields' | 'filters'>,
  filter: SearchFilter,
  parameters: SqlParameters,
): string[] {
  const add = (value: unknown): string => parameters.add(value);
  return givenFilters(filter).map(([name, value]) => {
    if (name === 'q') return querySql(conditionOfText(String(value)), fields, add);
    const { field, operator } = filters[name]!;
    return comparison(fields[field]!, operator, add(value));
  });
}

/** A filter's condition on a row, given the placeholder of its value. */
function comparison(rule: FieldRule, operator: FilterRule['operator'], value: string): string {
  const { sql, type } = rule;
  if (operator === 'in') return `${sql} = ANY(${value}::text[])`;
  if (type === 'name') return hasName(rule, value);
  return type === 'list' ? `${sql} @> ARRAY[${value}]` : `${sql} ${operator} ${value}`;
}

/** The filters that have a value. */
export const givenFilters = (filter: object): [name: string, value: unknown][] =>
  Object.entries(filter).filter(([, value]) => value !== undefined);

/** Whether the count deltas have the total of a filter. */
export const isCountedByDeltas = (
  { countedFilters }: Pick<SearchedTable, 'countedFilters'>,
  filter: SearchFilter,
): boolean => givenFilters(filter).every(([name]) => countedFilters.includes(name));

/** Whether matching rows may be few among those that a page in order has to read. */
export const isComparedByRow = (
  { indexedFilters }: Pick<SearchedTable, 'indexedFilters'>,
  filter: SearchFilter,
): boolean => givenFilters(filter).some(([name]) => !indexedFilters.includes(name));

/** Whether a page in the order of a column finds enough rows soon by reading the table in order. */
export const isReadInOrder = (
  table: Pick<SearchedTable, 'indexedFilters'>,
  filter: SearchFilter,
  lastCount: VersionedCount | null,
): boolean =>
  filter.q === undefined && (!isComparedByRow(table, filter) || (lastCount?.total ?? 0) >= MANY_MATCHES);

/** Columns with the texts in which a filter's query is highlighted. */
export const highlightsIn = ({ texts }: Pick<SearchedTable, 'texts'>, { q }: SearchFilter): string[] =>
  q === undefined ? [] : highlightColumns(texts);
