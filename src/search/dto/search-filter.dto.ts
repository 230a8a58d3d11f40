import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { MaxLength } from '../../http/parameters/text-length.js';
import { SENTIMENT_LABELS } from '../../enrichment/enrichment.js';
import { InstantFromQuery, IntegerFromQuery } from '../../http/parameters/query-transforms.js';
import type { ChoiceValue } from '../choice.js';
import { Choices } from './choices.decorator.js';
import { storedForum } from './forum-names.decorator.js';
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

  /** May be repeated (any of them); `!name` excludes one. */
  @Choices({ normal: storedForum })
  forum?: ChoiceValue;

  /** May be repeated (any of them); `!name` excludes one. */
  @Choices()
  author?: ChoiceValue;

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

  /** May be repeated (any of them); `!value` excludes one. */
  @Choices({ values: SENTIMENT_LABELS })
  sentiment?: ChoiceValue;

  /**
   * BCP 47 primary language, such as `de`; `und` for texts whose language cannot be known. May be repeated (any of
   * them); `!value` excludes one.
   */
  @Choices({
    form: { pattern: /^[a-z]{2,3}$/, name: 'a language of two or three letters, such as de, or und' },
  })
  language?: ChoiceValue;

  /** Name of a source as in `GET /sources`. May be repeated (any of them); `!value` excludes one. */
  @Choices()
  source?: ChoiceValue;

  /** Created at or after this time. */
  @IsOptional()
  @InstantFromQuery()
  created_after?: string;

  /** Created before this time. */
  @IsOptional()
  @InstantFromQuery()
  created_before?: string;
}
