import { IsBoolean, IsOptional } from 'class-validator';
import { BooleanFromQuery } from '../../http/parameters/query-transforms.js';

export class SuggestDto {
  /** True adds `suggestions` when nothing is found: similar queries that do have results. */
  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  suggest?: boolean;
}

export class SuggestionsDto {
  /** Up to three queries with corrected words; only with `suggest=true` and without a result. */
  suggestions?: string[];
}
