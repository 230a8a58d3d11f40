import { IsString, Matches } from 'class-validator';
import { Length } from '../../../http/parameters/text-length.js';

const MAX_LENGTH = 500;

export class SuggestQueriesDto {
  /** A name (`Visual Studio Code`), an address (`linear.app`), or a sentence about what to find. */
  @IsString()
  @Length(1, MAX_LENGTH)
  @Matches(/[\p{L}\p{N}]/u, { message: 'about must have a word' })
  about: string;
}

export class SuggestedQueryDto {
  /** In normal form. */
  q: string;

  /** Sources that an alert with this query can listen to; empty for a query that finds too much. */
  listen: string[];

  /** One or two sentences. */
  why: string;

  /** Number of stored posts and comments of the last thirty days that it finds. */
  matches: number;
}

export class SuggestedPlaceDto {
  /** As jobs accept it, with the target type `forum`. */
  target: string;

  /** How many stored posts and comments there match the first query. */
  why: string;
}

export class QuerySuggestionsDto {
  /** At most four, the most precise first; empty for a text of function words only. */
  queries: SuggestedQueryDto[];

  /** At most ten forums in which it is talked about, most matches first. */
  places: SuggestedPlaceDto[];
}
