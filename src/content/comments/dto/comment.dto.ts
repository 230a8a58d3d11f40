import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { MaxLength } from '../../../http/parameters/text-length.js';
import type { SentimentLabel } from '../../../enrichment/enrichment.js';
import { fieldReader, fieldsOf } from '../../../http/parameters/dto-fields.js';
import { OffsetPageDto } from '../../../http/pages/page.dto.js';
import { BooleanFromQuery } from '../../../http/parameters/query-transforms.js';
import { FullViewDto, RecordViewDto } from '../../../search/dto/full-view.dto.js';
import { SearchFilterDto } from '../../../search/dto/search-filter.dto.js';
import { SuggestDto, SuggestionsDto } from '../../../search/dto/suggest.dto.js';
import { SORT_ORDERS, type SortOrder } from '../../../search/searched-table.js';
import { COMMENT_SORTS, type CommentSort } from '../comment-filter.js';

export class CommentFilterDto extends SearchFilterDto {
  /** Platform id of the post, `t3_…` or `hn_…`. */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  post_id?: string;
}

export class ListCommentsDto extends IntersectionType(
  CommentFilterDto,
  OffsetPageDto,
  RecordViewDto,
  SuggestDto,
) {
  /** `relevance` needs `q`; `thread`, the reading order, needs `post_id`. */
  @IsOptional()
  @IsIn(COMMENT_SORTS)
  sort_by?: CommentSort = 'created_utc';

  @IsOptional()
  @IsIn(SORT_ORDERS)
  sort_order?: SortOrder = 'desc';

  /** Empty for the first page, then the `cursor` of the previous response with the same filters. */
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
  /** Platform id, `t1_…` or `hn_…`. */
  comment_id: string;
  post_id: string;
  post_permalink: string;
  /** Id of the post or comment that it replies to. */
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

/** Converts a stored comment to the format of the interface. */
export const toCommentDto = fieldReader<CommentDto>(fieldsOf(CommentDto));

/** Fragments of a comment in which words of `q` were found. */
export class CommentHighlightsDto {
  body?: string;
}

/** A post as its comments show it. */
export class CommentPostDto {
  title: string;
  forum: string;
}

export class CommentWithPostDto extends CommentDto {
  /** Its post; null when it is not stored. Only with `view=full`. */
  @ApiProperty({ type: CommentPostDto, nullable: true, required: false })
  post?: CommentPostDto | null;
}

/** Converts the post of a comment to the format of the interface. */
export const toCommentPostDto = (post: CommentPostDto | undefined): CommentPostDto | null =>
  post === undefined ? null : { title: post.title, forum: post.forum };

/** A comment with the fields that `view=full` adds. */
export class CommentViewDto extends IntersectionType(CommentWithPostDto, FullViewDto) {}

export class CommentListItemDto extends CommentViewDto {
  /** Only with `highlight=true`. */
  highlights?: CommentHighlightsDto;
}

export class CommentPageDto extends SuggestionsDto {
  comments: CommentListItemDto[];
  /** All comments that match the filters. */
  total: number;
  has_more: boolean;
  /** Position after the last item; only if the request has `cursor`. */
  cursor?: string;
}
