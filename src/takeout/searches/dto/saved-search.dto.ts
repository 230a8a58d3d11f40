import { ApiExtraModels, ApiProperty, getSchemaPath, OmitType } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { Length, MaxLength } from '../../../http/parameters/text-length.js';
import { CommentExportFiltersDto, PostExportFiltersDto } from '../../exports/dto/export-job.dto.js';
import { EXPORTED_KINDS, type ExportedKind } from '../../exports/exported-table.js';
import { ListenTo } from '../../../search/dto/listen.decorator.js';
import { SORT_ORDERS, type SortOrder } from '../../../search/searched-table.js';
import type { SavedSearch } from '../saved-search.entity.js';

const MAX_Q_LENGTH = 4_000;

const FILTERS = {
  anyOf: [PostExportFiltersDto, CommentExportFiltersDto].map((dto) => ({ $ref: getSchemaPath(dto) })),
};

@ApiExtraModels(PostExportFiltersDto, CommentExportFiltersDto)
export class UpdateSearchDto {
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string;

  /** As `q` of the list. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_Q_LENGTH)
  q?: string;

  /** The filters of the list besides `q`. */
  @ApiProperty({ ...FILTERS, required: false })
  @IsOptional()
  @IsObject()
  filters?: Record<string, unknown>;

  /** As `sort_by` of the list. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  sort_by?: string;

  @IsOptional()
  @IsIn(SORT_ORDERS)
  sort_order?: SortOrder;

  @ListenTo()
  listen?: string[];
}

@ApiExtraModels(PostExportFiltersDto, CommentExportFiltersDto)
export class CreateSearchDto extends OmitType(UpdateSearchDto, ['name'] as const) {
  @IsString()
  @Length(1, 255)
  name: string;

  @IsOptional()
  @IsIn(EXPORTED_KINDS)
  of?: ExportedKind = 'posts';
}

export class SearchDto {
  /** `search_…`. */
  id: string;
  name: string;
  @ApiProperty({ enum: EXPORTED_KINDS })
  of: ExportedKind;
  q: string | null;
  @ApiProperty(FILTERS)
  filters: object;
  /** Null for the default of the list. */
  sort_by: string | null;
  @ApiProperty({ enum: SORT_ORDERS })
  sort_order: SortOrder;
  /** Sources that the service reads for it. */
  listen: string[];
  created_at: Date;

  static from(search: SavedSearch): SearchDto {
    return {
      id: publicId('search', search.id),
      name: search.name,
      of: search.of,
      q: search.q,
      filters: search.filters,
      sort_by: search.sortBy,
      sort_order: search.sortOrder,
      listen: search.listen,
      created_at: search.createdAt,
    };
  }
}
