import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  IntersectionType,
  OmitType,
} from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { MaxLength } from '../../../http/parameters/text-length.js';
import { BooleanFromQuery, IntegerFromQuery } from '../../../http/parameters/query-transforms.js';
import { CommentFilterDto } from '../../comments/dto/comment.dto.js';
import { PostFilterDto } from '../../posts/dto/list-posts.dto.js';
import { INTERVALS, type Interval } from '../../../search/search-request.js';

/** Kinds of records that analytics count. */
export const SUBJECTS = ['posts', 'comments'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Values that can be counted; of comments only `forum`, `author`, `sentiment`, `language` and `source`. */
export const FACETS = [
  'forum',
  'author',
  'post_type',
  'sentiment',
  'flair',
  'keyword',
  'language',
  'source',
] as const;
export type FacetName = (typeof FACETS)[number];

const FACET_LIST = new RegExp(`^(${FACETS.join('|')})(,(${FACETS.join('|')}))*$`);

/** Values that a time series can be split by. */
const SPLITS = ['forum', 'sentiment', 'post_type', 'language', 'source'] as const;
export type Split = (typeof SPLITS)[number];

/** Default number of values of a facet. */
export const DEFAULT_FACET_VALUES = 10;
const MAX_FACET_VALUES = 1_000;
/** Default number of keywords. */
export const DEFAULT_KEYWORDS = 50;
const MAX_KEYWORDS = 1_000;
const KEYWORD_RANKS = ['count', 'significance'] as const;

/** The filters of both lists; those that the subject does not have are refused. */
export class AnalyticsFilterDto extends IntersectionType(
  OmitType(PostFilterDto, ['sort_by', 'sort_order'] as const),
  CommentFilterDto,
) {}

export class FacetsQueryDto extends AnalyticsFilterDto {
  @IsOptional()
  @IsIn(SUBJECTS)
  of?: Subject = 'posts';

  /** Comma-separated names: `forum`, `author`, `post_type`, `sentiment`, `flair`, `keyword`, `language`, `source`. */
  @IsOptional()
  @Matches(FACET_LIST, { message: `by must be a comma-separated list of ${FACETS.join(', ')}` })
  by?: string = 'forum';

  /** Maximum number of values per facet. */
  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(MAX_FACET_VALUES)
  limit?: number = DEFAULT_FACET_VALUES;

  /** True counts a field without the filter by that field, so that further values of it can be chosen. */
  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  multi?: boolean = false;
}

export class FacetValueDto {
  value: string;
  count: number;
}

@ApiExtraModels(FacetValueDto)
export class FacetsDto {
  /** All rows that match the filters. */
  total: number;
  /** By requested name: values and their counts, most frequent first. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { $ref: getSchemaPath(FacetValueDto) } },
  })
  facets: Partial<Record<FacetName, FacetValueDto[]>>;
}

export class TimeSeriesQueryDto extends AnalyticsFilterDto {
  @IsOptional()
  @IsIn(SUBJECTS)
  of?: Subject = 'posts';

  @IsOptional()
  @IsIn(INTERVALS)
  interval?: Interval = 'day';

  /** IANA time zone of the hours, days, weeks (from Monday) and months. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  timezone?: string = 'UTC';

  /** Also counts each bucket by this field; `post_type` is for posts only. */
  @IsOptional()
  @IsIn(SPLITS)
  split_by?: Split;
}

export class BucketDto {
  start: Date;
  count: number;
  /** In [-1, 1]; null in an empty bucket. */
  mean_sentiment: number | null;
  /**
   * Counts by value; only if the request has `split_by`. A response has about 30,000 of them: the values with the most
   * rows are counted, at least 10 and at most 1,000 of them, and all others together as `(other)`.
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'integer' } })
  split?: Record<string, number>;
}

export class TimeSeriesDto {
  interval: Interval;
  timezone: string;
  /** In chronological order, without gaps. */
  buckets: BucketDto[];
}

export class KeywordsQueryDto extends OmitType(PostFilterDto, ['sort_by', 'sort_order'] as const) {
  /** Only posts have keywords. */
  @IsOptional()
  @IsIn(['posts'])
  of?: string = 'posts';

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(MAX_KEYWORDS)
  limit?: number = DEFAULT_KEYWORDS;

  /** `significance`: those that distinguish the matching posts from the rest of the workspace, by log-likelihood. */
  @IsOptional()
  @IsIn(KEYWORD_RANKS)
  rank?: (typeof KEYWORD_RANKS)[number] = 'count';
}

export class KeywordCountDto {
  keyword: string;
  count: number;
  /** Count in the preceding period of the same length; null unless both `created_after` and `created_before` were sent. */
  previous_count: number | null;
  /** `count` - `previous_count`; null if `previous_count` is null. */
  change: number | null;
}

export class KeywordCountsDto {
  /** Most frequent first, or most significant. */
  keywords: KeywordCountDto[];
}
