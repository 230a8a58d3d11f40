import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { SENTIMENT_LABELS, type SentimentLabel } from '../../../enrichment/enrichment.js';
import { fieldReader, fieldsOf } from '../../../http/dto-fields.js';
import { DEFAULT_PAGE_SIZE } from '../../../http/offset-page.dto.js';
import { BooleanFromQuery, InstantFromQuery, IntegerFromQuery } from '../../../http/query-transforms.js';
import { SORT_ORDERS, type SortOrder } from '../../search/searched-table.js';
import { COMMENT_SORTS, type CommentSort } from '../comment-filter.js';

/** Range of the score columns. */
const INT32_MIN = -2_147_483_648;
const INT32_MAX = 2_147_483_647;

export class CommentFilterDto {
  /**
   * Full-text search: words, "phrases", `OR`, `-not`, parentheses, `prefix*`, `author:name`, `forum:name`. What cannot be
   * parsed is searched as text.
   */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  q?: string;

  /** Platform id of the post, `t3_…`. */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  post_id?: string;

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
  @IsIn(SENTIMENT_LABELS)
  sentiment?: SentimentLabel;

  /** Created at or after this time. */
  @IsOptional()
  @InstantFromQuery()
  created_after?: string;

  /** Created before this time. */
  @IsOptional()
  @InstantFromQuery()
  created_before?: string;
}

export class ListCommentsDto extends CommentFilterDto {
  /** `relevance` needs `q`; `thread`, the reading order, needs `post_id`. */
  @IsOptional()
  @IsIn(COMMENT_SORTS)
  sort_by?: CommentSort = 'created_utc';

  @IsOptional()
  @IsIn(SORT_ORDERS)
  sort_order?: SortOrder = 'desc';

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number = DEFAULT_PAGE_SIZE;

  /** Comments to skip. Beyond 10,000 page by `cursor`, whose cost does not grow. */
  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(0)
  @Max(INT32_MAX)
  offset?: number = 0;

  /** Empty for the first page, then the `cursor` of the previous answer to the same filters. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  cursor?: string;

  /** Adds `highlights` to each comment: HTML-escaped fragments with `<mark>` around the words of `q`. */
  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  highlight?: boolean;
}

export class CommentDto {
  /** Internal numeric id. */
  id: number;
  /** Platform id, `t1_…`. */
  comment_id: string;
  post_id: string;
  post_permalink: string;
  /** Id of the post or comment that it answers. */
  parent_id: string;
  author: string;
  body: string;
  score: number;
  created_utc: Date;
  /** 0 for a top-level comment. */
  depth: number;
  is_submitter: boolean;
  /** In [-1, 1]. */
  sentiment_score: number;
  sentiment_label: SentimentLabel;
  scraped_at: Date;
}

/** A comment in the interface's words. */
export const toCommentDto = fieldReader<CommentDto>(fieldsOf(CommentDto));

/** Fragments of a comment in which words of `q` were found. */
export class CommentHighlightsDto {
  body?: string;
}

export class CommentListItemDto extends CommentDto {
  /** Only when `highlight=true` was sent. */
  highlights?: CommentHighlightsDto;
}

export class CommentPageDto {
  comments: CommentListItemDto[];
  /** All comments that match the filters. */
  total: number;
  has_more: boolean;
  /** Position after the last item; only when `cursor` was sent. */
  cursor?: string;
}
