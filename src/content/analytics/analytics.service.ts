import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Problem } from '../../http/problems/problem.js';
import { POST_SEARCH } from '../posts/post-filter.js';
import {
  type BucketRow,
  type Interval,
  type KeywordRow,
  MAX_BUCKETS,
  type SearchRequest,
  type SeriesRequest,
} from '../../search/search-request.js';
import { SearchService } from '../../search/search.service.js';
import { significantKeywords } from './spike-series.js';
import {
  type BucketDto,
  DEFAULT_FACET_VALUES,
  DEFAULT_KEYWORDS,
  type FacetName,
  type FacetsDto,
  type FacetsQueryDto,
  type KeywordCountsDto,
  type KeywordsQueryDto,
  type TimeSeriesDto,
  type TimeSeriesQueryDto,
} from './dto/analytics.dto.js';
import { outermostTime } from './outermost-time.js';
import { MAX_AHEAD_MS } from '../../platforms/http/response-parsing.js';
import { refuseTimeZone, refuseUnknown, TABLES } from './subject.js';

/** Number of frequent keywords among which the significant ones are chosen. */
const COMPARED_KEYWORDS = 10_000;
/** Shortest lengths of the intervals, and buckets at both ends that may be partial. */
const DAY_MS = 86_400_000;
const INTERVAL_MS: Record<Interval, number> = {
  hour: DAY_MS / 24,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
};
const PARTIAL_BUCKETS = 3;
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
/** Number of decimals of a mean. */
const MEAN_DECIMALS = 6;

/** Counts over the posts and comments that match the filters of their lists. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly searches: SearchService,
    private readonly clock: Clock,
  ) {}

  /** Exact counts by value, and the total, all from one snapshot. */
  async facets(workspaceId: string, query: FacetsQueryDto): Promise<FacetsDto> {
    const { of = 'posts', limit = DEFAULT_FACET_VALUES, by: names = 'forum', multi, ...filter } = query;
    const by = [...new Set(names.split(','))] as FacetName[];
    refuseUnknown(of, filter, by, 'by');
    const rows = await this.searches.facets({
      table: TABLES[of],
      workspaceId,
      filter,
      by,
      limit,
      isMulti: multi,
    });
    const facets: FacetsDto['facets'] = Object.fromEntries(by.map((facet) => [facet, []]));
    let total = 0;
    for (const { facet, value, count } of rows)
      if (facet === 'total') total = count;
      else facets[facet as FacetName]!.push({ value: value ?? '', count });
    return { total, facets };
  }

  /** Counts and mean sentiment by time bucket. Throws 400 for more than 2,000 buckets. */
  async timeSeries(workspaceId: string, query: TimeSeriesQueryDto): Promise<TimeSeriesDto> {
    const { of = 'posts', interval = 'day', timezone = 'UTC', split_by, ...filter } = query;
    refuseUnknown(of, filter, split_by === undefined ? [] : [split_by], 'split_by');
    refuseTimeZone(timezone);
    const series = { interval, timezone, splitBy: split_by ?? null };
    const rows = await this.buckets({ table: TABLES[of], workspaceId, filter, ...series });
    // Kept in a map until the end, because `__proto__` as a key of an object would be lost.
    const buckets = new Map<
      number,
      Omit<BucketDto, 'split'> & { sentimentSum: number; values: Map<string, number> }
    >();
    for (const { start, split, count, sentimentSum } of rows) {
      const bucket = buckets.get(start.getTime()) ?? {
        start,
        count: 0,
        mean_sentiment: null,
        sentimentSum: 0,
        values: new Map<string, number>(),
      };
      buckets.set(start.getTime(), bucket);
      bucket.count += count;
      bucket.sentimentSum += sentimentSum;
      if (split !== null) bucket.values.set(split, count);
    }
    if (buckets.size > MAX_BUCKETS)
      throw Problem.validation([
        {
          field: 'interval',
          message: `interval gives more than ${MAX_BUCKETS} buckets. Choose a longer interval or a shorter period.`,
        },
      ]);
    return {
      interval,
      timezone,
      buckets: [...buckets.values()].map(({ sentimentSum, values, ...bucket }) => ({
        ...bucket,
        mean_sentiment:
          bucket.count === 0 ? null : Number((sentimentSum / bucket.count).toFixed(MEAN_DECIMALS)),
        ...(split_by !== undefined && { split: Object.fromEntries(values) }),
      })),
    };
  }

  /**
   * The rows of a series. When it has too many buckets and the filter has no date at an end, it ends with the last row that
   * is not in the future, and begins so that it fits: no date that a platform invents takes the series away.
   */
  private async buckets(series: SeriesRequest): Promise<BucketRow[]> {
    const { created_after, created_before } = series.filter;
    const rows = await this.searches.timeSeries(series);
    const fits = new Set(rows.map(({ start }) => start.getTime())).size <= MAX_BUCKETS;
    if (fits || (created_after !== undefined && created_before !== undefined)) return rows;
    const tomorrow = new Date(this.clock.now().getTime() + MAX_AHEAD_MS).toISOString();
    const filter = { ...series.filter, created_before: created_before ?? tomorrow };
    const newest = await outermostTime(this.searches, { ...series, filter }, 'desc');
    if (newest === null) return rows;
    filter.created_before = created_before ?? new Date(newest.getTime() + 1).toISOString();
    if (created_after === undefined) {
      const end = Date.parse(filter.created_before);
      const earliest = end - (MAX_BUCKETS - PARTIAL_BUCKETS) * INTERVAL_MS[series.interval];
      filter.created_after = new Date(Math.max(EARLIEST_MS, earliest)).toISOString();
      const oldest = await outermostTime(this.searches, { ...series, filter }, 'asc');
      if (oldest !== null) filter.created_after = oldest.toISOString();
    }
    return this.searches.timeSeries({ ...series, filter });
  }

  /** The most frequent or most significant keywords, each with its count in the preceding period. */
  async keywords(
    workspaceId: string,
    { limit = DEFAULT_KEYWORDS, rank = 'count', of: _, ...filter }: KeywordsQueryDto,
  ): Promise<KeywordCountsDto> {
    const request = { table: POST_SEARCH, workspaceId, filter };
    const rows =
      rank === 'count'
        ? await this.searches.keywords({ ...request, limit })
        : await this.significant(request, limit);
    return {
      keywords: rows.map(({ keyword, count, previousCount }) => ({
        keyword,
        count,
        previous_count: previousCount,
        change: previousCount === null ? null : count - previousCount,
      })),
    };
  }

  /** The keywords that distinguish the matching posts from all others, among the most frequent ones. */
  private async significant(request: SearchRequest, limit: number): Promise<KeywordRow[]> {
    const compared = { ...request, limit: COMPARED_KEYWORDS };
    const rows = await this.searches.keywords(compared);
    const inAll = await this.searches.keywords({ ...compared, comparedWith: {} });
    const totals = new Map(inAll.map(({ keyword, previousCount }) => [keyword, previousCount ?? 0]));
    const matching = await this.searches.count(request);
    const all = await this.searches.count({ ...request, filter: {} });
    const before = new Map(rows.map((row) => [row.keyword, row]));
    // Posts that are stored between the queries may be in one of the answers only.
    return significantKeywords(
      rows.map(({ keyword, count }) => ({
        keyword,
        count,
        previousCount: Math.max(0, (totals.get(keyword) ?? count) - count),
      })),
      matching,
      Math.max(0, all - matching),
      limit,
    ).map(({ keyword }) => before.get(keyword)!);
  }
}
