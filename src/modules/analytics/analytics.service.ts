import { Injectable } from '@nestjs/common';
import { isTimeZone } from '../../common/time-zone.js';
import { Problem } from '../../http/problem.js';
import { COMMENT_SEARCH } from '../comments/comment-filter.js';
import { POST_SEARCH } from '../posts/post-filter.js';
import { MAX_BUCKETS } from '../search/search-request.js';
import { SearchService } from '../search/search.service.js';
import { facetsOf, type SearchedTable } from '../search/searched-table.js';
import {
  type BucketDto,
  DEFAULT_FACET_VALUES,
  DEFAULT_KEYWORDS,
  type FacetName,
  type FacetsDto,
  type FacetsQueryDto,
  type KeywordCountsDto,
  type KeywordsQueryDto,
  type Subject,
  type TimeSeriesDto,
  type TimeSeriesQueryDto,
} from './dto/analytics.dto.js';

/** Number of decimals of a mean. */
const MEAN_DECIMALS = 6;

const TABLES: Record<Subject, SearchedTable> = { posts: POST_SEARCH, comments: COMMENT_SEARCH };

/** Counts over the posts and comments that match the filters of their lists. */
@Injectable()
export class AnalyticsService {
  constructor(private readonly searches: SearchService) {}

  /** Exact counts by value, and the total, all from one snapshot. */
  async facets(workspaceId: string, query: FacetsQueryDto): Promise<FacetsDto> {
    const { of = 'posts', limit = DEFAULT_FACET_VALUES, by: names = 'forum', ...filter } = query;
    const by = [...new Set(names.split(','))] as FacetName[];
    refuseUnknown(of, filter, by, 'by');
    const rows = await this.searches.facets({ table: TABLES[of], workspaceId, filter, by, limit });
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
    if (!isTimeZone(timezone))
      throw Problem.validation([
        { field: 'timezone', message: 'timezone must be an IANA time zone, e.g. Europe/Berlin' },
      ]);
    const series = { interval, timezone, splitBy: split_by ?? null };
    const rows = await this.searches.timeSeries({ table: TABLES[of], workspaceId, filter, ...series });
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

  /** The most frequent keywords, each with its count in the preceding period. */
  async keywords(workspaceId: string, query: KeywordsQueryDto): Promise<KeywordCountsDto> {
    const { limit = DEFAULT_KEYWORDS, ...filter } = query;
    delete filter.of;
    const rows = await this.searches.keywords({ table: POST_SEARCH, workspaceId, filter, limit });
    return {
      keywords: rows.map(({ keyword, count, previousCount }) => ({
        keyword,
        count,
        previous_count: previousCount,
        change: previousCount === null ? null : count - previousCount,
      })),
    };
  }
}

/** Throws 400 for a filter or a value that the subject does not have. */
function refuseUnknown(of: Subject, filter: object, values: readonly string[], field: string): void {
  const table = TABLES[of];
  const facets = facetsOf(table);
  const errors = [
    ...Object.entries(filter)
      .filter(([name, value]) => value !== undefined && name !== 'q' && !(name in table.filters))
      .map(([name]) => ({ field: name, message: `${of} cannot be filtered by ${name}` })),
    ...values
      .filter((value) => !facets.includes(value))
      .map((value) => ({
        field,
        message: `${field} ${value} does not exist for ${of}. Use one of: ${facets.join(', ')}`,
      })),
  ];
  if (errors.length > 0) throw Problem.validation(errors);
}
