import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { BooleanFromQuery } from '../../../http/parameters/query-transforms.js';
import { CommentFilterDto, ListCommentsDto } from '../../../content/comments/dto/comment.dto.js';
import { PostFilterDto } from '../../../content/posts/dto/list-posts.dto.js';
import { ExportedMatchDto } from './match-filter.dto.js';
import { EXPORT_FORMATS } from '../formats/export-formats.js';
import { IsForCsv } from './byte-order-mark.decorator.js';

class ExportFormatDto {
  /** Kind of file. */
  @ApiProperty({ enum: EXPORT_FORMATS.names, required: false })
  @IsOptional()
  @IsIn(EXPORT_FORMATS.names)
  format?: string = 'csv';

  /** True begins a CSV file with a byte order mark, by which spreadsheets recognise UTF-8. */
  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  @IsForCsv()
  bom?: boolean = false;

  /** Whether names of accounts are replaced by pseudonyms, which are the same in all exports of the workspace. */
  @IsOptional()
  @BooleanFromQuery()
  @IsBoolean()
  pseudonymize?: boolean = false;
}

export class ExportPostsDto extends IntersectionType(PostFilterDto, ExportedMatchDto, ExportFormatDto) {}

export class ExportCommentsDto extends IntersectionType(
  CommentFilterDto,
  PickType(ListCommentsDto, ['sort_by', 'sort_order'] as const),
  ExportedMatchDto,
  ExportFormatDto,
) {}
