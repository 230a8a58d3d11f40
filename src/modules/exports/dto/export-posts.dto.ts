import { IsIn, IsOptional } from 'class-validator';
import { PostFilterDto } from '../../posts/dto/list-posts.dto.js';
import { EXPORT_FORMATS, type ExportFormat } from '../export-format.js';

export class ExportPostsDto extends PostFilterDto {
  /** Kind of file. */
  @IsOptional()
  @IsIn(EXPORT_FORMATS)
  format?: ExportFormat = 'csv';
}
