import { ApiProperty } from '@nestjs/swagger';

/** Numbers of decisions. */
export class DecisionCountsDto {
  kept: number;
  dismissed: number;
}

/** A share, with a 90 % interval. */
export class PrecisionDto {
  @ApiProperty({ type: 'number', format: 'double' })
  estimate: number;
  @ApiProperty({ type: 'number', format: 'double' })
  low: number;
  @ApiProperty({ type: 'number', format: 'double' })
  high: number;
}

export class AlertRelevanceDto {
  verdicts: DecisionCountsDto;
  /** Whether every match has a relevance: after ten decisions with at least three of each kind. */
  ready: boolean;
  /** Matches below are not sent. */
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  min_relevance: number | null;
  /** The share of relevant ones among the shown matches without a decision; null unless `ready`, or without such matches. */
  @ApiProperty({ type: PrecisionDto, nullable: true })
  precision: PrecisionDto | null;
  /** Number of matches below `min_relevance`. */
  hidden: number;
}
