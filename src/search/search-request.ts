import type { VersionedCount } from '../database/count-deltas.js';
import type { QueryWord } from './query/ranked-slots.js';
import type { Ranking } from './relevance/ranking.js';
import type { ListOrder, SearchedTable } from './searched-table.js';

/** Filters that all tables have; a table has others besides. */
export interface SearchFilter {
  q?: string;
  created_after?: string;
  created_before?: string;
}

/** Which rows of a workspace are searched. */
export interface SearchRequest {
  table: SearchedTable;
  workspaceId: string;
  filter: SearchFilter;
}

/** The first rows of a list. */
export interface RowsRequest extends SearchRequest {
  /** A select list. */
  columns: string;
  order: ListOrder;
  limit: number;
}

/** A further condition on the rows of a statement; `add` adds a parameter and returns its placeholder. */
export type Restriction = (add: (value: unknown) => string) => string | null;

/** A position in an ordered list: just after the row with this sort value and id. */
export interface ListPosition {
  /** As Postgres writes it, so that no digit of a time or a fraction is lost. */
  value: string;
  id: string;
}

/** A page of a list: rows after a position, or after a number of skipped rows. */
export interface PageRequest extends RowsRequest {
  after: ListPosition | null;
  offset?: number;
  /** Whether rows have the columns of `highlightColumns`. */
  highlight?: boolean;
}

/** Counts by the values of fields. */
export interface FacetsRequest extends SearchRequest {
  by: readonly string[];
  /** Maximum number of values of each field. */
  limit: number;
}

/** Lengths of the buckets of a time series. */
export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Maximum number of buckets of a time series. */
export const MAX_BUCKETS = 2_000;

/** Maximum number of counts by value in a time series; and of values in a bucket, at least and at most. */
export const SPLIT_LIMITS = { counts: 30_000, least: 10, most: 1_000 };

/** Name of the rows of all values of a split beyond {@link mostSplitValues}; no forum has it. */
export const OTHER_VALUES = '(other)';

/** How many values of a split are counted in a series with this many buckets: those with the most rows. */
export const mostSplitValues = (buckets: number): number =>
  Math.max(SPLIT_LIMITS.least, Math.min(SPLIT_LIMITS.most, Math.floor(SPLIT_LIMITS.counts / buckets)));

/** Counts by time bucket. */
export interface SeriesRequest extends SearchRequest {
  interval: Interval;
  timezone: string;
  /**
   * A field with one value for each row, by which buckets are divided; null for none. Values beyond
   * {@link mostSplitValues} are counted together as {@link OTHER_VALUES}.
   */
  splitBy: string | null;
}

/** The most frequent keywords. */
export interface KeywordsRequest extends SearchRequest {
  limit: number;
  /** The filter of the rows in which keywords are counted for comparison; by default the filter in the period before. */
  comparedWith?: SearchFilter;
}

/** A page of rows, each with its sort value, and the exact total, from one snapshot. */
export interface SearchPage<Row> {
  rows: (Row & { sortValue: string })[];
  total: number;
}

/** A value and its count. The row of the facet `total` has the total. */
export interface FacetRow {
  facet: string;
  value: string | null;
  count: number;
}

/** A bucket, or the rows of a bucket that have one value of the split. */
export interface BucketRow {
  start: Date;
  split: string | null;
  count: number;
  sentimentSum: number;
}

/** A keyword and its count. */
export interface KeywordRow {
  keyword: string;
  count: number;
  /** Count in the rows compared with, by default those of the preceding period; null when there are none. */
  previousCount: number | null;
}

/** A page with what an engine needs besides the request. */
export interface RankedPageRequest extends PageRequest {
  /** What scores depend on besides the row; null unless the order is by relevance. */
  ranking: Ranking | null;
  /** The last count of the filter, at any revision; null when there is none. */
  lastCount: VersionedCount | null;
}

/**
 * A way to answer searches: from segments, or by statements over the table. Both give the same answers, except that the
 * weights of a ranking may differ. The caller has begun a transaction with one snapshot.
 */
export interface SearchEngine {
  page<Row extends object>(request: RankedPageRequest): Promise<SearchPage<Row> & VersionedCount>;
  /** How many rows match, and the revision at which they were counted. */
  count(request: SearchRequest): Promise<VersionedCount>;
  /** Counts by value, most frequent first (ties by value), and the total. */
  facets(request: FacetsRequest): Promise<FacetRow[]>;
  /** Empty buckets included; at most one bucket more than {@link MAX_BUCKETS}. */
  timeSeries(request: SeriesRequest): Promise<BucketRow[]>;
  /** Most frequent first (ties by keyword). */
  keywords(request: KeywordsRequest): Promise<KeywordRow[]>;
  /** The weights of words for a new list by relevance. */
  ranking(request: SearchRequest, words: readonly QueryWord[]): Promise<Ranking>;
}
