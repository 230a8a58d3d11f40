import { PickType } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { MaxLength } from '../parameters/text-length.js';
import { IntegerFromQuery } from '../parameters/query-transforms.js';

/** Page size of every list unless `limit` is sent. */
export const DEFAULT_PAGE_SIZE = 50;

/** The requested part of a list. */
export class OffsetPageDto {
  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number = DEFAULT_PAGE_SIZE;

  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  offset?: number = 0;
}

/** The part of a list that follows an item. */
export class CursorPageDto extends PickType(OffsetPageDto, ['limit']) {
  /** The `cursor` of a previous response with the same filters. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  cursor?: string;
}
