import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { CommentFilterDto, ListCommentsDto } from '../../comments/dto/comment.dto.js';
import { PostFilterDto } from '../../posts/dto/list-posts.dto.js';
import { EXPORT_FORMATS } from '../formats/export-formats.js';

class ExportFormatDto {
  /** Kind of file. */
  @ApiProperty({ enum: EXPORT_FORMATS.names, required: false })
  @IsOptional()
  @IsIn(EXPORT_FORMATS.names)
  format?: string = 'csv';
}

export class ExportPostsDto extends IntersectionType(PostFilterDto, ExportFormatDto) {}

export class ExportCommentsDto extends IntersectionType(
  CommentFilterDto,
  PickType(ListCommentsDto, ['sort_by', 'sort_order'] as const),
  ExportFormatDto,
) {}
