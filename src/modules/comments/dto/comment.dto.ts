import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { fieldReader, fieldsOf } from '../../../http/dto-fields.js';
import { OffsetPageDto } from '../../../http/offset-page.dto.js';
import { IntegerFromQuery } from '../../../http/query-transforms.js';
import type { SentimentLabel } from '../../../enrichment/enrichment.js';

export class ListCommentsDto extends OffsetPageDto {
  /** Platform id of the post, `t3_…`. */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  post_id?: string;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  author?: string;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(-2_147_483_648)
  @Max(2_147_483_647)
  min_score?: number;

  /** Full-text search: words, "phrases", `or`, `-not`. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  q?: string;
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

export class CommentPageDto {
  comments: CommentDto[];
  total: number;
  has_more: boolean;
}
