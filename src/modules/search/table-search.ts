import type { VersionedCount } from '../../database/count-deltas.js';
import type { Sql } from '../../database/sql.js';
import { VersionedCountCache } from '../../database/versioned-count-cache.js';
import { invalidCursor } from '../../http/cursor.js';
import type { RunSearch, SearchDatabase } from './search-database.js';
import {
  type BucketRow,
  type FacetRow,
  type KeywordRow,
  type SeriesRequest,
  selectFacets,
  selectKeywords,
  selectTimeSeries,
} from './sql/aggregates.js';
import { rankingAt, scoreAt } from './relevance/ranking.js';
import { numberOf } from './sort-value.js';
import { rankedWords, rankingByNewest } from './relevance/word-statistics.js';
import { selectById, selectFound } from './sql/found-rows.js';
import {
  countRows,
  isByRelevance,
  isComparedByRow,
  isCountedByDeltas,
  type ListOrder,
  type PageRequest,
  type SearchedTable,
  selectPage,
  selectRows,
} from './searched-table.js';
import { SegmentSearch } from './segments/read/segment-search.js';

/** With so many matching rows, reading in order soon finds enough of them. */
const MANY_MATCHES = 10_000;

/** A page of rows, each with its sort value, and the exact total at the moment they were read. */
export interface SearchPage<Row> {
  rows: (Row & { sortValue: string })[];
  total: number;
}

/**
 * Reads pages of one table with exact totals. Totals are counted again only when rows have changed since the last
 * count.
 */
export class TableSearch<
  Filter extends { q?: string; created_after?: string; created_before?: string },
  Sort extends string,
> {
  private readonly counts = new VersionedCountCache();
  private readonly segments: SegmentSearch<Filter>;

  constructor(
    private readonly table: SearchedTable<Filter, Sort>,
    private readonly database: SearchDatabase,
  ) {
    this.segments = new SegmentSearch(table, database.segmentBlocks);
  }

  /** Up to `limit` ordered rows of a workspace, and the total of the filter. `columns` is a select list. */
  page<Row extends object>(
    workspaceId: string,
    columns: string,
    filter: Filter,
    order: ListOrder<Sort>,
    page: PageRequest & { highlight?: boolean },
  ): Promise<SearchPage<Row>> {
    return this.database.run(workspaceId, async (run) => {
      if (isByRelevance(this.table, order))
        return this.pageByRelevance<Row>(workspaceId, columns, filter, order, page, run);
      const found = this.mayBeSparse(workspaceId, filter)
        ? await this.pageFromSegments<Row>(workspaceId, columns, filter, order, page, run)
        : null;
      if (found !== null) return found;
      const sql = selectPage(this.table, workspaceId, columns, filter, order, page);
      const rows = await run<SearchPage<Row>['rows'][number] & VersionedCount>(sql);
      return { rows, total: await this.total(workspaceId, filter, rows[0], run) };
    });
  }

  /** Counts of matching rows by the values of `by`; the total is in the facet `total`. */
  facets(workspaceId: string, filter: Filter, by: readonly string[], limit: number): Promise<FacetRow[]> {
    return this.database.run(
      workspaceId,
      async (run) =>
        (await this.segments.facets(workspaceId, filter, by, limit, run)) ??
        run<FacetRow>(selectFacets(this.table, workspaceId, filter, by, limit)),
    );
  }

  /** Counts of matching rows by time bucket, with a row for each value of the split. */
  timeSeries(workspaceId: string, filter: Filter, series: SeriesRequest): Promise<BucketRow[]> {
    return this.database.run(
      workspaceId,
      async (run) =>
        (await this.segments.timeSeries(workspaceId, filter, series, run)) ??
        run<BucketRow>(selectTimeSeries(this.table, workspaceId, filter, series)),
    );
  }

  /** The most frequent keywords of matching rows. */
  keywords(workspaceId: string, filter: Filter, limit: number): Promise<KeywordRow[]> {
    return this.database.run(
      workspaceId,
      async (run) =>
        (await this.segments.keywords(workspaceId, filter, limit, run)) ??
        run<KeywordRow>(selectKeywords(this.table, workspaceId, filter, limit)),
    );
  }

  /** The statement that reads up to `limit` rows in order, from the first one on. `columns` is a select list. */
  async statement(
    workspaceId: string,
    columns: string,
    filter: Filter,
    order: ListOrder<Sort>,
    limit: number,
  ): Promise<Sql> {
    const ranking = isByRelevance(this.table, order)
      ? await this.database.run(workspaceId, async (run) =>
          rankingByNewest(this.table.name, workspaceId, await rankedWords(filter.q, run), run),
        )
      : undefined;
    return selectRows(this.table, workspaceId, columns, filter, order, { after: null, limit, ranking });
  }

  /** A page of rows ordered by score; throws 400 `invalid_cursor` for a position of a different number of words. */
  private async pageByRelevance<Row extends object>(
    workspaceId: string,
    columns: string,
    filter: Filter,
    order: ListOrder<Sort>,
    page: PageRequest & { highlight?: boolean },
    run: RunSearch,
  ): Promise<SearchPage<Row>> {
    type Ranked = SearchPage<Row>['rows'][number];
    const { after, limit, offset = 0, highlight = false } = page;
    const words = await rankedWords(filter.q, run);
    const known = after && rankingAt(words, after.value);
    if (after !== null && known === null) throw invalidCursor();
    const request = {
      words,
      known,
      isDescending: order.sort_order === 'desc',
      after: after && { id: after.id, score: scoreAt(after.value) },
      limit,
      offset,
    };
    const found = await this.segments.relevance<Ranked>(
      workspaceId,
      filter,
      request,
      (rows) => selectById(this.table, workspaceId, columns, filter, rows, highlight),
      run,
    );
    if (found !== null) return found;
    const ranking = known ?? (await rankingByNewest(this.table.name, workspaceId, words, run));
    const sql = selectPage(this.table, workspaceId, columns, filter, order, { ...page, ranking });
    const rows = await run<Ranked & VersionedCount>(sql);
    return { rows, total: await this.total(workspaceId, filter, rows[0], run) };
  }

  /** Whether a page might have to read many rows in order until enough of them match. */
  private mayBeSparse(workspaceId: string, filter: Filter): boolean {
    if (filter.q !== undefined) return true;
    if (!isComparedByRow(this.table, filter)) return false;
    return (this.counts.last(workspaceId, filter) ?? 0) < MANY_MATCHES;
  }

  /** A page in order whose ids come from segments; null when segments cannot find them. */
  private async pageFromSegments<Row extends object>(
    workspaceId: string,
    columns: string,
    filter: Filter,
    order: ListOrder<Sort>,
    page: PageRequest & { highlight?: boolean },
    run: RunSearch,
  ): Promise<SearchPage<Row> | null> {
    const { limit, offset = 0 } = page;
    const from = page.after && numberOf(this.table.sorts[order.sort_by].type, page.after.value);
    if (page.after !== null && from === null) return null;
    const after = page.after && { number: from!, id: page.after.id };
    const found = await this.segments.sorted<SearchPage<Row>['rows'][number]>(
      workspaceId,
      filter,
      { column: order.sort_by, isDescending: order.sort_order === 'desc', from, limit: limit + offset },
      (found) => selectFound(this.table, workspaceId, columns, filter, order, { ...page, after }, found),
      run,
    );
    if (found !== null) this.counts.set(workspaceId, filter, found);
    return found;
  }

  /** The total of a filter; counted when neither `deltas`, which were read with a page, nor the cache contain it. */
  private async total(
    workspaceId: string,
    filter: Filter,
    deltas: VersionedCount | undefined,
    run: RunSearch,
  ): Promise<number> {
    if (deltas && isCountedByDeltas(this.table, filter)) return deltas.total;
    const cached = deltas ? this.counts.get(workspaceId, filter, deltas.revision) : null;
    if (cached !== null) return cached;
    const count =
      (await this.segments.count(workspaceId, filter, run)) ??
      (await run<VersionedCount>(countRows(this.table, workspaceId, filter)))[0]!;
    this.counts.set(workspaceId, filter, count);
    return count.total;
  }
}
