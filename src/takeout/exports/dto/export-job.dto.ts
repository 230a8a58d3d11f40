import { Type } from 'class-transformer';
import { ApiExtraModels, ApiProperty, getSchemaPath, IntersectionType, OmitType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  ValidateNested,
} from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { Length } from '../../../http/parameters/text-length.js';
import { CommentFilterDto } from '../../../content/comments/dto/comment.dto.js';
import { PostFilterDto } from '../../../content/posts/dto/list-posts.dto.js';
import { ExportedMatchDto } from './match-filter.dto.js';
import { withoutAccessKey } from '../../../messages/buckets/s3-address.js';
import { ExportDestinationDto, ShownDestinationDto } from '../destination/export-destination.dto.js';
import { EXPORT_FORMATS } from '../formats/export-formats.js';
import type { ExportChoices, ExportJob, ExportPart, ExportStatus } from '../export-job.entity.js';
import { shownParts } from '../written-files.js';
import { IsForCsv } from './byte-order-mark.decorator.js';
import { EXPORTED_KINDS, type ExportedKind } from '../exported-table.js';
import { type Compression, COMPRESSIONS } from '../formats/compression.js';

const EXPORT_ID = /^(export_)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** Filters that saved searches, datasets and exports of posts share: those of List Posts. */
export class PostExportFiltersDto extends OmitType(PostFilterDto, ['sort_by', 'sort_order'] as const) {}

/** Filters that saved searches, datasets and exports of comments share: those of List Comments. */
export class CommentExportFiltersDto extends CommentFilterDto {}

/** Filters of an export of posts. */
export class ExportedPostFiltersDto extends IntersectionType(PostExportFiltersDto, ExportedMatchDto) {}

/** Filters of an export of comments. */
export class ExportedCommentFiltersDto extends IntersectionType(CommentExportFiltersDto, ExportedMatchDto) {}

const FILTERS = {
  anyOf: [ExportedPostFiltersDto, ExportedCommentFiltersDto].map((dto) => ({ $ref: getSchemaPath(dto) })),
};

@ApiExtraModels(ExportedPostFiltersDto, ExportedCommentFiltersDto)
export class CreateExportDto {
  @IsOptional()
  @IsString()
  @Length(1, 200)
  name?: string;

  @IsIn(EXPORTED_KINDS)
  of: ExportedKind;

  @ApiProperty({ enum: EXPORT_FORMATS.names })
  @IsIn(EXPORT_FORMATS.names)
  format: string;

  /** The same filters as in the list of posts or comments, and `state` and `label` of matches. If omitted, all rows are exported. */
  @ApiProperty({ ...FILTERS, required: false })
  @IsOptional()
  @IsObject()
  filters?: Record<string, unknown> = {};

  /** Fields of a row to write, in this order, e.g. `["id","title"]`. If omitted, all are written. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @Length(1, 100, { each: true })
  columns?: string[];

  /** Compression of the whole file; for Parquet, of its pages. Default: none, and Snappy for Parquet. */
  @IsOptional()
  @IsIn(COMPRESSIONS)
  compression?: Compression;

  /** True begins each CSV file with a byte order mark, by which spreadsheets recognise UTF-8. */
  @IsOptional()
  @IsBoolean()
  @IsForCsv()
  bom?: boolean = false;

  /** Whether names of accounts are replaced by pseudonyms, which are the same in all exports of the workspace. */
  @IsOptional()
  @IsBoolean()
  pseudonymize?: boolean = false;

  /** A folder of a bucket to which the files are copied, with a manifest, before the export is completed. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ExportDestinationDto)
  destination?: ExportDestinationDto;

  /** Id of a completed export with the same `of` and `filters`. Only rows added or changed since then are exported. */
  @IsOptional()
  @Matches(EXPORT_ID, { message: 'incremental_from must be the id of an export' })
  incremental_from?: string;
}

/** A file of an export. */
export class ExportPartDto {
  /** Path of the file, relative to the base URL of this service. */
  path: string;
  rows: number;
  /** Size as downloaded. */
  bytes: number;
  /** In hex, of the bytes as downloaded. */
  sha256: string;
}

export class ExportDto {
  id: string;
  workspace_id: string;
  name: string | null;
  of: ExportedKind;
  @ApiProperty({ enum: EXPORT_FORMATS.names })
  format: string;
  /** Null for the default of the format: none for text, Snappy for Parquet. */
  compression: Compression | null;
  @ApiProperty(FILTERS)
  filters: object;
  /** Null for all. */
  columns: string[] | null;
  incremental_from: string | null;
  /** The recurring export of which it is a run. */
  recurring_id: string | null;
  destination: ShownDestinationDto | null;
  /** Whether its files begin with a byte order mark. */
  bom: boolean;
  pseudonymize: boolean;
  status: ExportStatus;
  /** Rows of the finished parts. */
  rows: number;
  /** Bytes of the finished parts. */
  bytes: number;
  /** Finished files in order; the first has number 1. */
  parts: ExportPartDto[];
  error_message: string | null;
  created_at: Date;
  started_at: Date | null;
  /** When it ended. */
  completed_at: Date | null;
  /** When the record and its files are deleted: seven days after the export ends. */
  expires_at: Date | null;

  static from(job: ExportJob, parts: readonly ExportPart[]): ExportDto {
    const id = publicId('export', job.id);
    const path = `/api/v1/workspaces/${job.workspaceId}/exports/${id}/parts`;
    return {
      id,
      workspace_id: publicId('workspace', job.workspaceId),
      name: job.name,
      ...shownChoices(job),
      incremental_from: job.incrementalFrom && publicId('export', job.incrementalFrom),
      destination: shownDestination(job.destinationUrl),
      recurring_id: job.recurringId && publicId('recurringExport', job.recurringId),
      status: job.status,
      ...shownParts(path, parts),
      error_message: job.errorMessage,
      created_at: job.createdAt,
      started_at: job.startedAt,
      completed_at: job.completedAt,
      expires_at: job.expiresAt,
    };
  }
}

/** The choices of an export as responses show them. */
export const shownChoices = (choices: ExportChoices) => ({
  of: choices.kind,
  format: choices.format,
  compression: choices.compression,
  filters: choices.filters,
  columns: choices.columns,
  bom: choices.byteOrderMark,
  pseudonymize: choices.pseudonymize,
});

/** A destination as responses show it, by its address. */
export const shownDestination = (url: string | null): ShownDestinationDto | null =>
  url === null ? null : { url: withoutAccessKey(url) };

export class ExportPageDto {
  exports: ExportDto[];
  /** Number of all stored exports. */
  total: number;
  has_more: boolean;
}
