import { IsIn, IsOptional, IsString } from 'class-validator';
import { MaxLength } from '../../http/parameters/text-length.js';
import { MAX_QUERY_LENGTH } from '../query/parse-query.js';

/** Kind of records that are searched. */
export const SEARCHED = ['posts', 'comments'] as const;
type Searched = (typeof SEARCHED)[number];

export class ExplainQueryDto {
  /** Kind of records that are searched: some fields have no meaning for comments. */
  @IsOptional()
  @IsIn(SEARCHED)
  of?: Searched = 'posts';

  /** A query in the language of `q`. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  q?: string = '';
}

export class QueryNoticeDto {
  /** Place in `q`, from 0. */
  position: number;

  /** Number of characters that the notice is about. */
  length: number;

  message: string;
}

export class ExplainedQueryDto {
  /** The query as understood, in the same language. */
  query: string;

  /**
   * The query as a tree. `kind` is `words`, `near`, `value`, `bound`, `flag`, `not`, `and` or `or`; null for a query
   * without anything to search, which finds nothing.
   */
  tree: object | null;

  notices: QueryNoticeDto[];
}
