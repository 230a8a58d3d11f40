import { ApiProperty } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { SENTIMENT_LABELS, type SentimentLabel } from '../../enrichment/enrichment.js';

export class CorrectSentimentDto {
  /** The label by a person; null takes it back to the computed one. */
  @ApiProperty({ enum: [...SENTIMENT_LABELS, null], nullable: true })
  @ValidateIf((_, label) => label !== null)
  @IsIn(SENTIMENT_LABELS)
  label: SentimentLabel | null;
}
