import type { VersionedCount } from '../../database/count-deltas.js';
import type { QueryWord } from '../query/ranked-slots.js';
import type { Ranking } from '../relevance/ranking.js';
import { rankingByNewest } from '../relevance/word-statistics.js';
import type { RunSearch } from '../search-database.js';
import type {
  BucketRow,
  FacetRow,
  FacetsRequest,
  KeywordRow,
  KeywordsRequest,
  PageRequest,
  RankedPageRequest,
  SearchEngine,
  SearchPage,
  SearchRequest,
  SeriesRequest,
} from '../search-request.js';
import { selectFacets, selectKeywords, selectTimeSeries } from './aggregates.js';
import { isCountedByDeltas } from './conditions.js';
import { countRows, selectPage } from './page-statements.js';

/** Answers searches by statements over the table. */
export class StatementSearch implements SearchEngine {
  constructor(private readonly run: RunSearch) {}

  async page<Row extends object>(request: RankedPageRequest): Promise<SearchPage<Row> & VersionedCount> {
    const rows = await this.rows<Row>(request);
    return { rows, ...(knownCount(request, rows[0], request.lastCount) ?? (await this.count(request))) };
  }

  /** The rows of a page, each with the revision of the workspace's rows and the total of the count deltas. */
  rows<Row extends object>(
    request: PageRequest & Pick<RankedPageRequest, 'ranking'>,
  ): Promise<(SearchPage<Row>['rows'][number] & VersionedCount)[]> {
    return this.run(selectPage(request));
  }

  async count(request: SearchRequest): Promise<VersionedCount> {
    return (await this.run<VersionedCount>(countRows(request)))[0]!;
  }

  facets(request: FacetsRequest): Promise<FacetRow[]> {
    return this.run(selectFacets(request));
  }

  timeSeries(request: SeriesRequest): Promise<BucketRow[]> {
    return this.run(selectTimeSeries(request));
  }

  keywords(request: KeywordsRequest): Promise<KeywordRow[]> {
    return this.run(selectKeywords(request));
  }

  ranking({ table, workspaceId }: SearchRequest, words: readonly QueryWord[]): Promise<Ranking> {
    return rankingByNewest(table.name, workspaceId, words, this.run);
  }
}

/**
 * The count of a filter that needs no counting: that of the deltas, which were read with a page, or the last one if the
 * rows are still those that it counted. Null when there is none.
 */
export function knownCount(
  { table, filter }: SearchRequest,
  deltas: VersionedCount | undefined,
  lastCount: VersionedCount | null,
): VersionedCount | null {
  if (deltas === undefined) return null;
  const { revision, total } = deltas;
  if (isCountedByDeltas(table, filter)) return { revision, total };
  return lastCount?.revision === revision ? lastCount : null;
}
