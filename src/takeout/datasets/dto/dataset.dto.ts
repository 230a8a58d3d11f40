import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { Length, MaxLength } from '../../../http/parameters/text-length.js';
import { CommentExportFiltersDto, PostExportFiltersDto } from '../../exports/dto/export-job.dto.js';
import { shownParts } from '../../exports/written-files.js';
import { EXPORTED_KINDS, type ExportedKind } from '../../exports/exported-table.js';
import { type Dataset, DATASET_STATUSES, type DatasetPart, type DatasetStatus } from '../dataset.entity.js';
import { DatasetManifestDto } from './dataset-manifest.dto.js';

const FILTERS = {
  anyOf: [PostExportFiltersDto, CommentExportFiltersDto].map((dto) => ({ $ref: getSchemaPath(dto) })),
};

@ApiExtraModels(PostExportFiltersDto, CommentExportFiltersDto)
export class CreateDatasetDto {
  @IsString()
  @Length(1, 200)
  name: string;

  @IsIn(EXPORTED_KINDS)
  of: ExportedKind;

  /** The query, as in the list. */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  q?: string;

  /** The other filters of the list. If both are omitted, all rows are frozen. */
  @ApiProperty({ ...FILTERS, required: false })
  @IsOptional()
  @IsObject()
  filters?: Record<string, unknown> = {};
}

/** A Parquet file of a dataset. */
export class DatasetPartDto {
  /** Path of the file, relative to the base URL of this service. */
  path: string;
  rows: number;
  bytes: number;
  /** In hex. An erasure changes it when it removes rows. */
  sha256: string;
}

export class DatasetDto {
  /** `dataset_…`. */
  id: string;
  workspace_id: string;
  name: string;
  of: ExportedKind;
  q: string | null;
  @ApiProperty(FILTERS)
  filters: object;
  @ApiProperty({ enum: DATASET_STATUSES })
  status: DatasetStatus;
  /** Rows of the files. */
  rows: number;
  bytes: number;
  /** Rows that erasures removed from the files. */
  erased_rows: number;
  /** When an erasure last removed rows. */
  erased_at: Date | null;
  /** Files in order; the first has number 1. Empty until the dataset is completed. */
  parts: DatasetPartDto[];
  /** Null until the dataset is completed. */
  manifest: DatasetManifestDto | null;
  error_message: string | null;
  created_at: Date;
  completed_at: Date | null;

  static from(dataset: Dataset, stored: readonly DatasetPart[]): DatasetDto {
    const id = publicId('dataset', dataset.id);
    const parts = dataset.status === 'completed' ? stored : [];
    const path = `/api/v1/workspaces/${dataset.workspaceId}/datasets/${id}/parts`;
    const { parts: shown, ...sizes } = shownParts(path, parts);
    const { q = null, ...filters } = dataset.filters as { q?: string };
    return {
      id,
      workspace_id: publicId('workspace', dataset.workspaceId),
      name: dataset.name,
      of: dataset.kind,
      q,
      filters,
      status: dataset.status,
      ...sizes,
      erased_rows: dataset.erasedRows,
      erased_at: dataset.erasedAt,
      parts: shown,
      manifest: dataset.status === 'completed' ? DatasetManifestDto.from(dataset, parts) : null,
      error_message: dataset.errorMessage,
      created_at: dataset.createdAt,
      completed_at: dataset.completedAt,
    };
  }
}

export class DatasetPageDto {
  datasets: DatasetDto[];
  total: number;
  has_more: boolean;
}
