import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { EachOnce } from '../../../http/parameters/query-transforms.js';
import { Length, MaxLength } from '../../../http/parameters/text-length.js';
import { publicId } from '../../../common/ids.js';
import { QUOTAS } from '../../../config/quotas.js';
import { CursorPageDto } from '../../../http/pages/page.dto.js';
import { type Scope, SCOPES } from '../../../http/request/scope.js';
import {
  MAX_RETENTION_DAYS,
  type Workspace,
  type WorkspaceStatus,
} from '../../../tenants/workspaces/workspace.entity.js';

/** A whole number from 0; null clears the value. */
const IsClearableUpTo = (maximum: number): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== null && value !== undefined),
    IsInt(),
    Min(0),
    Max(maximum),
  );

const IsDays = (): PropertyDecorator => IsClearableUpTo(MAX_RETENTION_DAYS);

export class ListWorkspacesDto extends CursorPageDto {
  /** Part of the name, regardless of letter case, or the id. */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  q?: string;
}

export class CreateWorkspaceDto {
  @IsString()
  @Length(1, 255)
  name: string;
}

/** Quotas that differ from the operator's defaults; null clears one, 0 means no limit. */
export class QuotaOverridesDto {}

QUOTAS.each(({ name }) => {
  ApiProperty({ type: 'integer', nullable: true, required: false })(QuotaOverridesDto.prototype, name);
  IsClearableUpTo(Number.MAX_SAFE_INTEGER)(QuotaOverridesDto.prototype, name);
});

/** Days after which data is deleted; null or 0 keeps it as long as the operator's defaults do. */
export class RetentionDaysDto {
  /** Since the post was last scraped. Its comments and files are deleted with it. */
  @IsDays() posts?: number | null;
  /** Since the comment was last scraped. */
  @IsDays() comments?: number | null;
  /** Since the download of the file. */
  @IsDays() media?: number | null;
  /** Since the event was turned into deliveries; pending deliveries are kept. Values above 30 have no effect. */
  @IsDays() deliveries?: number | null;
  /** Since the end of the job. Only values below `JOB_RETENTION_DAYS` have an effect. */
  @IsDays() jobs?: number | null;
}

export class UpdateWorkspaceDto {
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string;

  /** API keys of a suspended workspace get 403; its schedules, jobs and deliveries are paused until it is active again. */
  @IsOptional()
  @IsIn(['active', 'suspended'])
  status?: 'active' | 'suspended';

  /** Omitted quotas do not change. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => QuotaOverridesDto)
  quotas?: QuotaOverridesDto;

  /** Omitted kinds do not change. Deletion of older data starts within a minute and cannot be undone. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => RetentionDaysDto)
  retention_days?: RetentionDaysDto;
}

export class RecoverApiKeyDto {
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string = 'Recovery key';

  /** Permissions of the key. Each scope includes the previous ones, in the order read, write, admin. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @EachOnce()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[] = ['admin'];
}

export class WorkspaceUsageDto {
  posts: number;
  comments: number;
  media_bytes: number;
  pending_jobs: number;
}

/** Limits by name; 0 means no limit. */
export class QuotasOfWorkspaceDto {}

QUOTAS.each(({ name }) =>
  ApiProperty({ type: 'integer', required: false })(QuotasOfWorkspaceDto.prototype, name),
);

/** Days after which data is deleted, by kind; kinds without a value are omitted. */
export class RetentionOfWorkspaceDto {
  posts?: number;
  comments?: number;
  media?: number;
  deliveries?: number;
  jobs?: number;
}

export class WorkspaceDeletionDto {
  requested_at: string;
  /** Rows deleted so far, over all tables. */
  rows: number;
}

export class AdminWorkspaceDto {
  id: string;
  name: string;
  status: WorkspaceStatus;
  created_at: Date;
  /** Time of the last request with one of its keys (to the minute) or of the creation of its newest job, whichever is later. */
  last_activity_at: Date | null;
  usage: WorkspaceUsageDto;
  /** Quotas that differ from the operator's defaults. */
  quotas: QuotasOfWorkspaceDto;
  /** The operator's defaults, which apply where `quotas` has no value. */
  quota_defaults: QuotasOfWorkspaceDto;
  retention_days: RetentionOfWorkspaceDto;
  /** Progress of the deletion; null unless `status` is `deleting`. */
  deletion: WorkspaceDeletionDto | null;

  static from(
    { id, name, status, createdAt, quotas, retentionDays, deletion }: Workspace,
    usage: WorkspaceUsageDto,
    lastActivityAt: Date | null,
    quotaDefaults: QuotasOfWorkspaceDto,
  ): AdminWorkspaceDto {
    return {
      id: publicId('workspace', id),
      name,
      status,
      created_at: createdAt,
      last_activity_at: lastActivityAt,
      usage,
      quotas,
      quota_defaults: quotaDefaults,
      retention_days: retentionDays,
      deletion: deletion && { requested_at: deletion.requestedAt, rows: deletion.rows },
    };
  }
}

export class CreatedWorkspaceDto extends AdminWorkspaceDto {
  /** The uuid without a prefix, as in paths and on the command line. */
  workspace_id: string;
  /** The first API key, with all scopes. No other response shows it. */
  api_key: string;
}

export class AdminWorkspacePageDto {
  workspaces: AdminWorkspaceDto[];
  total: number;
  /** The position after the last item. */
  cursor: string;
  has_more: boolean;
}
