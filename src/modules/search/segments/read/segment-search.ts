import { LRUCache } from 'lru-cache';
import type { VersionedCount } from '../../../../database/count-deltas.js';
import { type Sql, SqlParameters } from '../../../../database/sql.js';
import {
  type BucketRow,
  type FacetRow,
  type KeywordRow,
  periodBefore,
  type SeriesRequest,
} from '../../sql/aggregates.js';
import type { QueryWord } from '../../query/tsquery.js';
import { type Ranking, rankingText } from '../../relevance/ranking.js';
import type { RunSearch } from '../../search-database.js';
import type { FoundRows } from '../../sql/found-rows.js';
import type { SearchedTable } from '../../searched-table.js';
import type { BlockCache } from './block-cache.js';
import { ChangeLists } from './change-lists.js';
import { Computed, type Match, planMatch } from './match.js';
import { countByValue, countMatching } from './segment-counts.js';
import { FIRST_PAGE, type RankedRange, rankingBySegments, rankMatching } from './segment-ranking.js';
import { countByTime } from './segment-series.js';
import { firstRows, type SortedRange } from './segment-sorting.js';
import { SegmentSnapshot } from './segment-snapshot.js';
import { selectState, type StateRow } from './segment-statements.js';
import { KnownValues } from '../format/value-numbers.js';

/** With fewer rows in segments, statements over the table are as fast. */
const LEAST_ROWS = 20_000;
/** With more changed rows outside the segments, reading those takes longer than the segments save. */
const MOST_CHANGED = 20_000;
/** How long to skip the check for a workspace whose segments are not used. */
const UNUSED_MS = 2_000;
const MAX_UNUSED = 10_000;

/** Maximum number of rows skipped and read in relevance order; beyond it a statement over the table answers. */
const MOST_RANKED = 10_000;

/** Limits that decide whether segments are used; tests lower them to use segments for fewer rows. */
export interface SegmentLimits {
  leastRows: number;
  mostChanged: number;
}

/** A page in relevance order. */
export interface RelevanceRequest extends RankedRange {
  words: readonly QueryWord[];
  known: Ranking | null;
  offset: number;
}

interface Dates {
  q?: string;
  created_after?: string;
  created_before?: string;
}

/**
 * Answers totals, facets and series from segments and from the rows that changed since, in one snapshot. Every method
 * returns null when segments cannot answer: too few rows in segments, too many changed rows, phrases of word prefixes,
 * or filters on fields that segments do not store. Statements over the table give the same answers.
 */
export class SegmentSearch<Filter extends Dates> {
  private readonly changes = new ChangeLists();
  private readonly values = new KnownValues();
  private readonly unused = new LRUCache<string, true>({ max: MAX_UNUSED, ttl: UNUSED_MS });

  constructor(
    private readonly table: SearchedTable<Filter, string>,
    private readonly cache: BlockCache,
    private readonly limits: SegmentLimits = { leastRows: LEAST_ROWS, mostChanged: MOST_CHANGED },
  ) {}

  /** How many rows match, and the revision at which they were counted. */
  count(workspaceId: string, filter: Filter, run: RunSearch): Promise<VersionedCount | null> {
    return this.read(workspaceId, [filter], run, async (snapshot, [match], revision) => ({
      revision,
      total: await countMatching(snapshot, filter, match!),
    }));
  }

  /** Rows as `selectFacets` reads them. */
  facets(
    workspaceId: string,
    filter: Filter,
    by: readonly string[],
    limit: number,
    run: RunSearch,
  ): Promise<FacetRow[] | null> {
    return this.read(workspaceId, [filter], run, async (snapshot, [match]) => {
      // A client that reads facets without a query will probably send one next, so the blocks for its first page are
      // cached now.
      const along = filter.q === undefined ? FIRST_PAGE : undefined;
      const numbers = this.values.of(workspaceId, by);
      const { total, counts } = await countByValue(
        snapshot,
        this.table.facets,
        filter,
        match!,
        numbers,
        along,
      );
      this.values.keep(workspaceId, numbers);
      const rows = by.flatMap((facet) =>
        counts
          .get(facet)!
          .top(limit)
          .map(({ value, count }): FacetRow => ({ facet, value, count })),
      );
      return [...rows, { facet: 'total', value: null, count: total }];
    });
  }

  /** Rows as `selectKeywords` reads them. */
  keywords(workspaceId: string, filter: Filter, limit: number, run: RunSearch): Promise<KeywordRow[] | null> {
    const before = periodBefore(filter);
    const filters = before === null ? [filter] : [filter, { ...filter, ...before }];
    return this.read(workspaceId, filters, run, async (snapshot, matches) => {
      const numbers = this.values.of(workspaceId, ['keyword']);
      const periods = [];
      for (const [index, one] of filters.entries()) {
        const { counts } = await countByValue(snapshot, this.table.facets, one, matches[index]!, numbers);
        periods.push(counts.get('keyword')!);
      }
      this.values.keep(workspaceId, numbers);
      const [current, previous] = periods;
      const countBefore = previous?.byValue();
      return current!.top(limit).map(({ value, count }) => ({
        keyword: value,
        count,
        previousCount: countBefore?.(value) ?? null,
      }));
    });
  }

  /** Rows as `selectTimeSeries` reads them. */
  timeSeries(
    workspaceId: string,
    filter: Filter,
    series: SeriesRequest,
    run: RunSearch,
  ): Promise<BucketRow[] | null> {
    return this.read(workspaceId, [filter], run, (snapshot, [match]) =>
      countByTime(snapshot, this.table, filter, match!, series),
    );
  }

  /**
   * A page in relevance order with its total and revision. `known` is the ranking of the pages before, null on the
   * first page; `select` reads rows by ids.
   */
  relevance<Row extends object>(
    workspaceId: string,
    filter: Filter,
    { words, known, offset, ...range }: RelevanceRequest,
    select: (rows: { ids: string[]; sortValues: string[] }) => Sql,
    run: RunSearch,
  ): Promise<(VersionedCount & { rows: Row[] }) | null> {
    if (range.limit + offset > MOST_RANKED) return Promise.resolve(null);
    return this.read(workspaceId, [filter], run, async (snapshot, [match], revision) => {
      const ranking = known ?? (await rankingBySegments(snapshot, words));
      const all = { ...range, limit: range.limit + offset };
      const found = await rankMatching(snapshot, filter, match!, ranking, all);
      const page = found.rows.slice(offset);
      const text = rankingText(ranking);
      const sql = select({
        ids: page.map(({ id }) => id),
        sortValues: page.map(({ score }) => `${score}${text}`),
      });
      return { revision, total: found.total, rows: page.length === 0 ? [] : await run<Row>(sql) };
    });
  }

  /**
   * A page ordered by a column, with its total and revision; `select` reads the page from the rows found. Also
   * null for orders that segments do not store, and when many rows have equal values.
   */
  sorted<Row extends object>(
    workspaceId: string,
    filter: Filter,
    range: SortedRange,
    select: (found: FoundRows) => Sql,
    run: RunSearch,
  ): Promise<(VersionedCount & { rows: Row[] }) | null> {
    const expression = this.table.segments.columns[range.column];
    if (expression === undefined || range.limit > MOST_RANKED) return Promise.resolve(null);
    return this.read(workspaceId, [filter], run, async (snapshot, [match], revision) => {
      const found = await firstRows(snapshot, filter, match!, expression, range);
      if (found === null) return null;
      return {
        revision,
        total: found.total,
        rows: found.ids.length === 0 ? [] : await run<Row>(select(found)),
      };
    });
  }

  /** Calls `read` within one transaction, in one snapshot; null when segments cannot answer. */
  private async read<T>(
    workspaceId: string,
    filters: readonly Filter[],
    run: RunSearch,
    read: (
      snapshot: SegmentSnapshot<Filter>,
      matches: readonly Match[],
      revision: string,
    ) => Promise<T | null>,
  ): Promise<T | null> {
    if (this.unused.has(workspaceId)) return null;
    const computed = new Computed(new SqlParameters());
    const planned = filters.map((filter) => planMatch(this.table, filter, computed));
    if (planned.some((match) => match === null)) return null;
    await run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', parameters: [] });
    try {
      const known = this.changes.known(workspaceId);
      const sql = selectState(this.table, workspaceId, this.limits.mostChanged, known.keys(), computed);
      const [state] = await run<StateRow>(sql);
      const matches = planned.map((match) => match!(state!.results));
      let result: T | null = null;
      if (!this.isUsable(state!)) this.unused.set(workspaceId, true);
      else if (matches.every((match) => match !== null)) {
        const { segments, revision } = state!;
        const changed = this.changes.see(workspaceId, state!.changed!, known);
        const snapshot = new SegmentSnapshot(workspaceId, this.table, segments, changed, run, this.cache);
        result = await read(snapshot, matches, revision);
      }
      await run({ text: 'COMMIT', parameters: [] });
      return result;
    } catch (error) {
      // If the rollback fails, the connection was lost and its pool drops it.
      await run({ text: 'ROLLBACK', parameters: [] }).catch(() => undefined);
      throw error;
    }
  }

  private isUsable({ segments, changed }: StateRow): boolean {
    const rows = segments.reduce((sum, [, all, outdated]) => sum + all - outdated, 0);
    return changed !== null && rows >= this.limits.leastRows;
  }
}
