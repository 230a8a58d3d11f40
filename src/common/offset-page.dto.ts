import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IntegerFromQuery } from './query-transforms.js';

/** Which part of a list is asked for. */
export class OffsetPageDto {
  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number = 50;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  offset?: number = 0;
}
