import { IsIn, IsOptional } from 'class-validator';
import { AnalyticsFilterDto, type Subject, SUBJECTS } from './analytics.dto.js';

export class RecallQueryDto extends AnalyticsFilterDto {
  @IsOptional()
  @IsIn(SUBJECTS)
  of?: Subject = 'posts';
}

/** A number of rows with an interval that is right in about nine of ten cases. */
export class MissedRowsDto {
  estimate: number;
  low: number;
  high: number;
}

export class SuggestedWordDto {
  /** The word. */
  add: string;

  /** The query that also finds the word, in normal form. */
  query: string;

  /** Estimated number of further rows that are about the same. */
  gain: number;

  /** Ids of up to three rows that the word would add. */
  examples: string[];
}

/** How complete a query is. */
export class RecallDto {
  /** Number of rows that the query finds. */
  found: number;

  /** Rows that are probably about the same although the query does not find them; null when there is too little to tell. */
  missed: MissedRowsDto | null;

  /** At most five words that would find more of them, best first. */
  suggestions: SuggestedWordDto[];
}
