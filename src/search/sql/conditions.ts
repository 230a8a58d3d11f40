import type { VersionedCount } from '../../database/count-deltas.js';
import type { SqlParameters } from '../../database/sql.js';
import { type Choice, choiceOf, type ChoiceValue, singleOf } from '../choice.js';
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
    if (operator === 'choice') return choiceSql(fields[field]!, choiceOf(value as ChoiceValue), add);
    return comparison(fields[field]!, operator, add(value));
  });
}

/** The condition that a row has one of the wanted values and none of the excluded ones. */
function choiceSql(rule: FieldRule, { any, none }: Choice, add: (value: string) => string): string {
  const isOneOf = (values: readonly string[]): string => {
    const texts = values.map((value) => `${add(value)}::text`);
    if (rule.type === 'list') return `${rule.sql} && ARRAY[${texts.join(', ')}]`;
    if (rule.type !== 'name') return `${rule.sql} IN (${texts.join(', ')})`;
    const names = texts.map((text) => hasName(rule, text));
    return names.length === 1 ? names[0]! : `(${names.join(' OR ')})`;
  };
  return [
    ...(any.length > 0 ? [isOneOf(any)] : []),
    ...(none.length > 0 ? [`NOT (${isOneOf(none)})`] : []),
  ].join(' AND ');
}

/** A filter's condition on a row, given the placeholder of its value. */
function comparison({ sql }: FieldRule, operator: FilterRule['operator'], value: string): string {
  return operator === 'in' ? `${sql} = ANY(${value}::text[])` : `${sql} ${operator} ${value}`;
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
  { indexedFilters, filters }: Pick<SearchedTable, 'indexedFilters' | 'filters'>,
  filter: SearchFilter,
): boolean =>
  givenFilters(filter).some(
    ([name, value]) =>
      !indexedFilters.includes(name) ||
      // An index is read in the order of the list for one value only.
      (filters[name]?.operator === 'choice' && singleOf(value as ChoiceValue) === undefined),
  );

/** Whether a page in the order of a column finds enough rows soon by reading the table in order. */
export const isReadInOrder = (
  table: Pick<SearchedTable, 'indexedFilters' | 'filters'>,
  filter: SearchFilter,
  lastCount: VersionedCount | null,
): boolean =>
  filter.q === undefined && (!isComparedByRow(table, filter) || (lastCount?.total ?? 0) >= MANY_MATCHES);

/** Columns with the texts in which a filter's query is highlighted. */
export const highlightsIn = ({ texts }: Pick<SearchedTable, 'texts'>, { q }: SearchFilter): string[] =>
  q === undefined ? [] : highlightColumns(texts);
