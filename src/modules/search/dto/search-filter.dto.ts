import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { MaxLength } from '../../../http/text-length.js';
import { SENTIMENT_LABELS, type SentimentLabel } from '../../../enrichment/enrichment.js';
import { InstantFromQuery, IntegerFromQuery } from '../../../http/query-transforms.js';
import { ForumName } from './forum-names.decorator.js';
import { MAX_QUERY_LENGTH } from '../query/parse-query.js';

/** Range of the integer columns. */
const INT32_MIN = -2_147_483_648;
export const INT32_MAX = 2_147_483_647;

/** Filters that lists of posts and of comments have in common. */
export class SearchFilterDto {
  /**
   * Full-text search: words, "phrases", `OR`, `-not`, parentheses, `=exact`, `prefix*`, `"a b"~10`, fields such as
   * `title:word`, `author:name` and `score:>10`. What cannot be parsed is searched as text; `GET /search/explain` says
   * how a query is understood.
   */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  q?: string;

  @IsOptional()
  @ForumName()
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

  /** BCP 47 primary language, such as `de`; `und` for texts whose language cannot be known. */
  @IsOptional()
  @Matches(/^[a-z]{2,3}$/, {
    message: 'language must be a language of two or three letters, such as de, or und',
  })
  language?: string;

  /** Created at or after this time. */
  @IsOptional()
  @InstantFromQuery()
  created_after?: string;

  /** Created before this time. */
  @IsOptional()
  @InstantFromQuery()
  created_before?: string;
}
