import { DELTA_SUM_COLUMNS, selectCount, withDeltaSums } from '../../database/count-deltas.js';
import { type Sql, SqlParameters } from '../../database/sql.js';
import { highlightColumns } from './highlights.js';
import { parseQuery } from './query/parse-query.js';
import { queryCondition, type QueryColumns, rankingWords } from './query/query-condition.js';
import type { QueryNode } from './query/query-tree.js';
import { type Ranking, rankingText, scoreAt } from './relevance/ranking.js';
import { scoreSql } from './relevance/score-sql.js';
import type { SortType } from './sort-value.js';

/** Sort directions of a list. */
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Order of a list. */
export interface ListOrder<Sort extends string> {
  sort_by: Sort;
  sort_order: SortOrder;
}

/** A position in an ordered list: just after the row with this sort value and id. */
export interface ListPosition {
  /** As Postgres writes it, so that no digit of a time or a fraction is lost. */
  value: string;
  id: string;
}

/** Which rows of a list are read: those after a position, or after a number of skipped rows. */
export interface PageRequest {
  after: ListPosition | null;
  limit: number;
  offset?: number;
  /** What scores depend on besides the row; required for relevance order. */
  ranking?: Ranking;
}

/** How rows are sorted. */
export interface SortRule {
  type: SortType;
  /** Column or expression over the table's rows; null for a row's relevance to `q`. */
  expression: string | null;
  /**
   * A subquery to use in place of the table, given the filter's parameters; the table itself when absent. It leaves out
   * rows up to and including the one with id `after`.
   */
  source?: (
    workspaceId: string,
    filter: object,
    order: SortOrder,
    after: string | null,
    parameters: SqlParameters,
  ) => string;
  /** The direction when the source already is in order; the caller's when absent. */
  direction?: SortOrder;
}

/** How rows are counted by a value. */
export interface FacetRule {
  /** Column or expression over the table's rows; for an array, every element counts. */
  expression: string;
  /** `name`: spellings that differ in case count as one. `list`: an array of texts. */
  kind: 'exact' | 'name' | 'list';
}

/** A filter that sets a lower or upper bound of a number or a time. */
export interface BoundRule {
  column: string;
  operator: '>=' | '<=' | '<';
}

/** A time as microseconds since 1970, which a double represents exactly until the year 2255. */
export const microseconds = (time: string): string => `(extract(epoch FROM ${time}) * 1000000)::bigint`;

/** What segments contain for a row besides its words and facet values. Filters with the same names use it. */
export interface SegmentRules<Filter> {
  /** Numbers and times by column; times as microseconds since 1970. */
  columns: Record<string, string>;
  bounds: { [Field in keyof Filter]?: BoundRule };
  /** Boolean filters, each stored in a column of the same name. */
  flags: readonly (keyof Filter & string)[];
}

/** What a search needs to know about a table: how fields filter, and how rows are ordered and counted. */
export interface SearchedTable<Filter extends { q?: string }, Sort extends string> {
  name: 'posts' | 'comments';
  deltas: 'post_count_deltas' | 'comment_count_deltas';
  /** Type of the id column, for positions. */
  idType: 'text' | 'bigint';
  /** The condition of each field except `q`, given the placeholder of its value. */
  conditions: { [Field in Exclude<keyof Filter, 'q'>]-?: (value: string) => string };
  /** Fields for which the count deltas have totals: with one of these filters, or with no filter. */
  countedFields: readonly (keyof Filter & string)[];
  /** Fields with an index of their own. Other fields are compared row by row while rows are read in order. */
  indexedFields: readonly (keyof Filter & string)[];
  /** Columns that a query can name. */
  query: QueryColumns;
  sorts: Record<Sort, SortRule>;
  /** Facets: the values by which rows can be counted. */
  facets: Record<string, FacetRule>;
  /** Text columns from which highlights are made. */
  texts: readonly string[];
  segments: SegmentRules<Filter>;
}

/** Rows in order, after a position. Ties are broken by id in the same direction. */
export function selectRows<Filter extends { q?: string }, Sort extends string>(
  table: SearchedTable<Filter, Sort>,
  workspaceId: string,
  columns: string,
  filter: Filter,
  order: ListOrder<Sort>,
  page: PageRequest,
): Sql {
  const parameters = new SqlParameters();
  const text = select(table, workspaceId, () => columns, filter, order, page, parameters);
  return { text, parameters: parameters.values };
}

/**
 * A page as {@link selectRows} reads it. Each row has its `sortValue`, and the `revision` and `total` of the count
 * deltas.
 */
export function selectPage<Filter extends { q?: string }, Sort extends string>(
  table: SearchedTable<Filter, Sort>,
  workspaceId: string,
  columns: string,
  filter: Filter,
  order: ListOrder<Sort>,
  page: PageRequest & { highlight?: boolean },
): Sql {
  const parameters = new SqlParameters();
  const sums = deltaSums(table, workspaceId, filter, parameters);
  const highlights = page.highlight === true ? highlightsOf(table, filter, parameters) : [];
  const all = ({ text }: SortSql): string =>
    [columns, ...highlights, ...DELTA_SUM_COLUMNS, `${text()} AS "sortValue"`].join(', ');
  const rows = select(table, workspaceId, all, filter, order, page, parameters);
  return { text: `${sums} ${rows}`, parameters: parameters.values };
}

/** How many rows match, and the revision at which they were counted. */
export function countRows<Filter extends { q?: string }, Sort extends string>(
  table: SearchedTable<Filter, Sort>,
  workspaceId: string,
  filter: Filter,
): Sql {
  const parameters = new SqlParameters();
  const sums = deltaSums(table, workspaceId, filter, parameters);
  const where = isCountedByDeltas(table, filter) ? null : conditionOf(table, workspaceId, filter, parameters);
  return { text: selectCount(sums, table.name, where), parameters: parameters.values };
}

/** Whether the count deltas have the total of a filter. */
export function isCountedByDeltas<Filter extends { q?: string }>(
  table: Pick<SearchedTable<Filter, string>, 'countedFields'>,
  filter: Filter,
): boolean {
  return givenFields(filter).every((field) => table.countedFields.includes(field));
}

/** Whether matching rows may be few among those that a page in order has to read. */
export function isComparedByRow<Filter extends { q?: string }>(
  table: Pick<SearchedTable<Filter, string>, 'indexedFields'>,
  filter: Filter,
): boolean {
  return givenFields(filter).some((field) => !table.indexedFields.includes(field));
}

/** Whether rows are ordered by their relevance to `q`. */
export const isByRelevance = <Sort extends string>(
  { sorts }: { sorts: Record<Sort, SortRule> },
  { sort_by }: ListOrder<Sort>,
): boolean => sorts[sort_by].expression === null;

/** The condition under which a row of the workspace matches the filter. */
export function conditionOf<Filter extends { q?: string }>(
  table: Pick<SearchedTable<Filter, string>, 'conditions' | 'query'>,
  workspaceId: string,
  filter: Filter,
  parameters: SqlParameters,
): string {
  const add = (value: unknown): string => parameters.add(value);
  const all = [`workspace_id = ${add(workspaceId)}`];
  for (const field of givenFields(filter))
    if (field === 'q') all.push(queryCondition(parsed(filter), table.query, add));
    else all.push(table.conditions[field as Exclude<keyof Filter, 'q'>](add(filter[field])));
  return all.join(' AND ');
}

/** Columns with the highlights of the words that a filter's query names. */
export function highlightsOf<Filter extends { q?: string }>(
  { texts }: Pick<SearchedTable<Filter, string>, 'texts'>,
  filter: Filter,
  parameters: SqlParameters,
): string[] {
  return highlightColumns(texts, rankingWords(parsed(filter)), parameters);
}

const parsed = ({ q }: { q?: string }): QueryNode | null => (q === undefined ? null : parseQuery(q));

const givenFields = <Filter extends object>(filter: Filter): (keyof Filter & string)[] =>
  (Object.keys(filter) as (keyof Filter & string)[]).filter((field) => filter[field] !== undefined);

function deltaSums<Filter extends { q?: string }, Sort extends string>(
  table: SearchedTable<Filter, Sort>,
  workspaceId: string,
  filter: Filter,
  parameters: SqlParameters,
): string {
  const workspace = parameters.add(workspaceId);
  const only = table.countedFields
    .filter((field) => filter[field] !== undefined)
    .map((field) => table.conditions[field as Exclude<keyof Filter, 'q'>](parameters.add(filter[field])));
  return withDeltaSums(table.deltas, workspace, only.length === 0 ? undefined : only.join(' AND '));
}

function select<Filter extends { q?: string }, Sort extends string>(
  table: SearchedTable<Filter, Sort>,
  workspaceId: string,
  columnsOf: (sort: SortSql) => string,
  filter: Filter,
  order: ListOrder<Sort>,
  { after, limit, offset, ranking }: PageRequest,
  parameters: SqlParameters,
): string {
  const rule = table.sorts[order.sort_by];
  const direction = rule.direction ?? order.sort_order;
  const source =
    rule.source?.(workspaceId, filter, order.sort_order, after?.id ?? null, parameters) ?? table.name;
  const where = [conditionOf(table, workspaceId, filter, parameters)];
  const sort = rule.expression === null ? byScore(ranking!, parameters) : byColumn(rule, table.idType);
  if (after !== null && rule.source === undefined) {
    const position = `(${parameters.add(sort.valueOf(after))}::${sort.type}, ${parameters.add(after.id)}::${sort.idType})`;
    where.push(`(${sort.expression}, ${sort.id}) ${direction === 'asc' ? '>' : '<'} ${position}`);
  }
  const skipped = offset === undefined ? '' : ` OFFSET ${parameters.add(offset)}`;
  return (
    `SELECT ${columnsOf(sort)} FROM ${source} ${sort.join} WHERE ${where.join(' AND ')} ` +
    `ORDER BY ${sort.expression} ${direction}, ${sort.id} ${direction} LIMIT ${parameters.add(limit)}${skipped}`
  );
}

/** How rows are ordered in SQL. */
interface SortSql {
  /** Joined to the rows. */
  join: string;
  expression: string;
  type: string;
  /** The sort value as a cursor carries it. Adds parameters, so it must be called only where its text is used. */
  text: () => string;
  valueOf: (position: ListPosition) => string | number;
  /** Tiebreaker among rows with the same sort value. */
  id: string;
  idType: string;
}

/** How a column of the table orders rows. */
export function byColumn({ expression, type }: SortRule, idType: string): SortSql {
  const text = (): string => (type === 'none' ? `''` : `(${expression})::text`);
  return { join: '', expression: expression!, type, text, valueOf: ({ value }) => value, id: 'id', idType };
}

/** Ids are compared bytewise as text, which is also their order in segments. */
function byScore(ranking: Ranking, parameters: SqlParameters): SortSql {
  const { join, expression } = scoreSql(ranking, parameters);
  return {
    join,
    expression,
    type: 'float8',
    text: () => `(${expression})::text || ${parameters.add(rankingText(ranking))}`,
    valueOf: ({ value }) => scoreAt(value),
    id: 'id::text COLLATE "C"',
    idType: 'text',
  };
}
