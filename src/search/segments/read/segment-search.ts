import type { VersionedCount } from '../../../database/count-deltas.js';
import type { QueryWord } from '../../query/ranked-slots.js';
import { type Ranking, rankingText, scoreAt } from '../../relevance/ranking.js';
import type {
  BucketRow,
  FacetRow,
  FacetsRequest,
  KeywordRow,
  KeywordsRequest,
  RankedPageRequest,
  SearchEngine,
  SearchPage,
  SearchRequest,
  SeriesRequest,
} from '../../search-request.js';
import { numberOf } from '../../sort-value.js';
import { sortTypeOf } from '../../searched-table.js';
import { comparedFilter } from '../../sql/aggregates.js';
import { isReadInOrder } from '../../sql/conditions.js';
import { selectById, selectFound } from '../../sql/found-rows.js';
import { StatementSearch } from '../../sql/statement-search.js';
import { segmentColumns } from '../format/segment-fields.js';
import type { KnownValues } from '../format/term-keys.js';
import type { Match } from './match.js';
import { countByValue, countMatching } from './segment-counts.js';
import { FIRST_PAGE, rankingBySegments, rankMatching } from './segment-ranking.js';
import { countByTime } from './segment-series.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import { firstRows } from './segment-sorting.js';

/** Maximum number of rows skipped and read in an order; beyond it a statement over the table reads the page. */
const MOST_FOUND = 10_000;

/**
 * Answers searches with one filter from the segments of a workspace and from the rows that changed since, in one
 * snapshot. Pages that segments cannot find are read by statements, in the same snapshot.
 */
export class SegmentSearch implements SearchEngine {
  private readonly statements: StatementSearch;
  private readonly match: Match;

  constructor(
    private readonly snapshot: SegmentSnapshot,
    /** The match of the filter, then that of the rows with which keywords are compared. */
    private readonly matches: readonly Match[],
    private readonly revision: string,
    private readonly values: KnownValues,
  ) {
    this.statements = new StatementSearch(snapshot.run);
    this.match = matches[0]!;
  }

  page<Row extends object>(request: RankedPageRequest): Promise<SearchPage<Row> & VersionedCount> {
    const { table, filter, lastCount } = request;
    if (request.limit + (request.offset ?? 0) > MOST_FOUND) return this.pageByStatement(request);
    if (request.ranking !== null) return this.pageByScore(request, request.ranking);
    return isReadInOrder(table, filter, lastCount)
      ? this.pageByStatement(request)
      : this.pageByColumn(request);
  }

  async count({ filter }: SearchRequest): Promise<VersionedCount> {
    return { revision: this.revision, total: await countMatching(this.snapshot, filter, this.match) };
  }

  async facets({ table, workspaceId, filter, by, limit }: FacetsRequest): Promise<FacetRow[]> {
    // A client that reads facets without a query will probably send one next, so the blocks for its first page are
    // cached now.
    const along = filter.q === undefined ? FIRST_PAGE : undefined;
    const numbers = this.values.of(workspaceId, by);
    const { total, counts } = await countByValue(
      this.snapshot,
      table.fields,
      filter,
      this.match,
      numbers,
      along,
    );
    this.values.keep(workspaceId, numbers);
    const rows: FacetRow[] = [];
    for (const facet of by)
      for (const { value, count } of await counts.get(facet)!.top(limit, this.snapshot.turn()))
        rows.push({ facet, value, count });
    return [...rows, { facet: 'total', value: null, count: total }];
  }

  async keywords(request: KeywordsRequest): Promise<KeywordRow[]> {
    const { table, workspaceId, filter, limit } = request;
    const other = comparedFilter(request);
    const filters = other === null ? [filter] : [filter, other];
    const numbers = this.values.of(workspaceId, ['keyword']);
    const periods = [];
    for (const [index, one] of filters.entries()) {
      const match = this.matches[index]!;
      const { counts } = await countByValue(this.snapshot, table.fields, one, match, numbers);
      periods.push(counts.get('keyword')!);
    }
    this.values.keep(workspaceId, numbers);
    const [current, previous] = periods;
    const countBefore = previous?.byValue();
    const first = await current!.top(limit, this.snapshot.turn());
    return first.map(({ value, count }) => ({
      keyword: value,
      count,
      previousCount: countBefore?.(value) ?? null,
    }));
  }

  timeSeries(request: SeriesRequest): Promise<BucketRow[]> {
    return countByTime(this.snapshot, this.match, request, this.values);
  }

  ranking(_request: SearchRequest, words: readonly QueryWord[]): Promise<Ranking> {
    return rankingBySegments(this.snapshot, words);
  }

  private async pageByStatement<Row extends object>(
    request: RankedPageRequest,
  ): Promise<SearchPage<Row> & VersionedCount> {
    const { lastCount } = request;
    const rows = await this.statements.rows<Row>(request);
    const count = lastCount?.revision === this.revision ? lastCount : await this.count(request);
    return { rows, ...count };
  }

  private async pageByScore<Row extends object>(
    request: RankedPageRequest,
    ranking: Ranking,
  ): Promise<SearchPage<Row> & VersionedCount> {
    const { filter, order, after, limit, offset = 0 } = request;
    const { rows: found, total } = await rankMatching(this.snapshot, filter, this.match, ranking, {
      isDescending: order.sort_order === 'desc',
      after: after && { id: after.id, score: scoreAt(after.value) },
      limit: limit + offset,
    });
    const page = found.slice(offset);
    const text = rankingText(ranking);
    const ids = page.map(({ id }) => id);
    const sortValues = page.map(({ score }) => `${score}${text}`);
    const rows = page.length === 0 ? [] : await this.read<Row>(selectById(request, { ids, sortValues }));
    return { rows, total, revision: this.revision };
  }

  /** A page in the order of a column, whose ids come from segments. */
  private async pageByColumn<Row extends object>(
    request: RankedPageRequest,
  ): Promise<SearchPage<Row> & VersionedCount> {
    const { table, filter, order, after, limit, offset = 0 } = request;
    const column = order.sort_by;
    const expression = segmentColumns(table)[column];
    const from = after && numberOf(sortTypeOf(table, column), after.value);
    if (expression === undefined || (after !== null && from === null)) return this.pageByStatement(request);
    const { found, total } = await firstRows(this.snapshot, filter, this.match, expression, {
      column,
      isDescending: order.sort_order === 'desc',
      from,
      limit: limit + offset,
    });
    const count = { total, revision: this.revision };
    // With too many equal values it is unknown which rows are the first.
    if (found === null) return this.pageByStatement({ ...request, lastCount: count });
    const rows = found.ids.length === 0 ? [] : await this.read<Row>(selectFound(request, from, found));
    return { rows, ...count };
  }

  private read<Row extends object>(
    sql: Parameters<SegmentSnapshot['run']>[0],
  ): Promise<SearchPage<Row>['rows']> {
    return this.snapshot.run<SearchPage<Row>['rows'][number]>(sql);
  }
}
