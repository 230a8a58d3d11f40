import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { DEFAULT_PAGE_SIZE } from '../../../http/offset-page.dto.js';
import { IntegerFromQuery } from '../../../http/query-transforms.js';
import { SENTIMENT_LABELS, type SentimentLabel } from '../../../enrichment/enrichment.js';
import { POST_TYPES, type PostType } from '../../../platforms/platform.js';
import { POST_SORTS, type PostSort, SORT_ORDERS, type SortOrder } from '../post-filter.js';

/** Range of the score columns. */
const INT32_MIN = -2_147_483_648;
const INT32_MAX = 2_147_483_647;

export class PostFilterDto {
  /** Full-text search: words, "phrases", `or`, `-not`. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  q?: string;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  forum?: string;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  author?: string;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(INT32_MIN)
  @Max(INT32_MAX)
  min_score?: number;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(INT32_MIN)
  @Max(INT32_MAX)
  max_score?: number;

  @IsOptional()
  @IsIn(POST_TYPES)
  post_type?: PostType;

  @IsOptional()
  @IsIn(SENTIMENT_LABELS)
  sentiment?: SentimentLabel;

  /** `relevance` needs `q`. */
  @IsOptional()
  @IsIn(POST_SORTS)
  sort_by?: PostSort = 'created_utc';

  @IsOptional()
  @IsIn(SORT_ORDERS)
  sort_order?: SortOrder = 'desc';
}

export class ListPostsDto extends PostFilterDto {
  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number = DEFAULT_PAGE_SIZE;

  /** The `cursor` of a previous answer to the same filters. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  cursor?: string;
}
