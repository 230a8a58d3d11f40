import type { SqlParameters } from '../database/sql.js';
import type { SortType } from './sort-value.js';

/** Sort directions of a list. */
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Order of a list. */
export interface ListOrder<Sort extends string = string> {
  sort_by: Sort;
  sort_order: SortOrder;
}

/** Name of the order by how well rows answer `q`, which every table has. */
export const RELEVANCE = 'relevance';

/** Whether rows are ordered by their relevance to `q`. */
export const isByRelevance = ({ sort_by }: ListOrder): boolean => sort_by === RELEVANCE;

/**
 * A field of a table's rows. This is the only place that says how the field is compared, stored in segments, counted and
 * sorted.
 */
export interface FieldRule {
  /** Column or expression over the table's rows. */
  sql: string;
  /** `name`: spellings that differ in case are one value. `list`: an array of texts. */
  type: 'text' | 'name' | 'list' | 'boolean' | 'timestamptz' | 'integer' | 'float8';
  /**
   * For a `name`, the condition of the rows in which spellings that differ in case are different values. No row when
   * absent.
   */
  caseSensitiveRows?: string;
  /** Whether segments store it. Statements over the table answer filters by a field that segments do not store. */
  segment: boolean;
  /** Whether rows are counted by its values; for a list, every element counts. */
  facet: boolean;
  /** Whether lists can be in its order. */
  sort: boolean;
}

/**
 * A filter: rows with a field that compares so with the given value. `choice` takes one value or several, wanted or
 * excluded.
 */
export interface FilterRule {
  field: string;
  operator: 'choice' | '=' | '>=' | '<=' | '<' | 'in';
}

/** How rows are sorted. */
export interface SortRule {
  type: SortType;
  /** Column or expression over the table's rows. */
  expression: string;
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

/** What a search needs to know about a table: its fields, and the filters and orders of its lists. */
export interface SearchedTable {
  name: 'posts' | 'comments';
  deltas: 'post_count_deltas' | 'comment_count_deltas';
  /** Type of the id column, for positions. */
  idType: 'text' | 'bigint';
  fields: Record<string, FieldRule>;
  /** All filters except `q`. */
  filters: Record<string, FilterRule>;
  /** Filters for which the count deltas have totals: with one of these, or with no filter. */
  countedFilters: readonly string[];
  /** Filters with an index of their own. Others are compared row by row while rows are read in order. */
  indexedFilters: readonly string[];
  /** Orders besides those of fields and relevance. */
  orders: Record<string, SortRule>;
  /** Text columns from which highlights are made. */
  texts: readonly string[];
}

/** A table that has a rule for each filter of its lists. */
export type SearchedTableWith<Filter> = SearchedTable & {
  filters: { [Field in Exclude<keyof Filter, 'q'>]-?: FilterRule };
};

/** Begins the keys of values that are compared with their case; no name begins so. */
export const CASE_MARK = '\u0001';
const WITH_CASE = String.raw`E'\x01'`;

/** The expression for the key of a row's name: all spellings that count as one value have the same. */
export const nameKey = ({ sql, caseSensitiveRows }: FieldRule): string =>
  caseSensitiveRows === undefined
    ? `lower(${sql})`
    : `CASE WHEN ${caseSensitiveRows} THEN ${WITH_CASE} || ${sql} ELSE lower(${sql}) END`;

/** Expressions for the keys of the rows that a name finds, or for the beginnings of these keys, given its placeholder. */
export const wantedKeys = ({ caseSensitiveRows }: FieldRule): ((placeholder: string) => string)[] => [
  (name) => `lower(${name}::text)`,
  ...(caseSensitiveRows === undefined ? [] : [(name: string) => `${WITH_CASE} || ${name}::text`]),
];

/** The condition of rows with a name, or with one that begins so. Written so that an index over lower case serves it. */
export function hasName({ sql, caseSensitiveRows }: FieldRule, name: string, isPrefix = false): string {
  const compare = (stored: string, wanted: string): string =>
    isPrefix ? `starts_with(${stored}, ${wanted})` : `${stored} = ${wanted}`;
  const inAnyCase = compare(`lower(${sql})`, `lower(${name}::text)`);
  return caseSensitiveRows === undefined
    ? inAnyCase
    : `(${inAnyCase} AND (NOT (${caseSensitiveRows}) OR ${compare(sql, `${name}::text`)}))`;
}

/** Names of the fields by whose values rows are counted. */
export const facetsOf = ({ fields }: Pick<SearchedTable, 'fields'>): string[] =>
  Object.keys(fields).filter((name) => fields[name]!.facet);

/** Names of all orders of a table's lists. */
export const sortsOf = ({ fields, orders }: Pick<SearchedTable, 'fields' | 'orders'>): string[] => [
  ...Object.keys(fields).filter((name) => fields[name]!.sort),
  RELEVANCE,
  ...Object.keys(orders),
];

/** The rule of an order other than by relevance. */
export function sortRule(
  { fields, orders }: Pick<SearchedTable, 'fields' | 'orders'>,
  name: string,
): SortRule {
  const { sql, type } = fields[name] ?? {};
  return orders[name] ?? { type: type as SortType, expression: sql! };
}

/** The type of the sort values of an order. */
export const sortTypeOf = (table: Pick<SearchedTable, 'fields' | 'orders'>, name: string): SortType =>
  name === RELEVANCE ? 'relevance' : sortRule(table, name).type;

/** A time as microseconds since 1970, which a double represents exactly until the year 2255. */
export const microseconds = (time: string): string => `(extract(epoch FROM ${time}) * 1000000)::bigint`;
