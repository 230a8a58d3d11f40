import { IntersectionType, PickType } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { CommentFilterDto, ListCommentsDto } from '../../comments/dto/comment.dto.js';
import { PostFilterDto } from '../../posts/dto/list-posts.dto.js';
import { EXPORT_FORMATS, type ExportFormat } from '../export-format.js';

class ExportFormatDto {
  /** Kind of file. */
  @IsOptional()
  @IsIn(EXPORT_FORMATS)
  format?: ExportFormat = 'csv';
}

export class ExportPostsDto extends IntersectionType(PostFilterDto, ExportFormatDto) {}

export class ExportCommentsDto extends IntersectionType(
  CommentFilterDto,
  PickType(ListCommentsDto, ['sort_by', 'sort_order'] as const),
  ExportFormatDto,
) {}
