import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { CursorPageDto } from '../../../http/page.dto.js';
import { type Scope, SCOPES } from '../../../http/scope.js';
import type { Workspace, WorkspaceStatus } from '../../workspaces/workspace.entity.js';

const IsQuota = (): PropertyDecorator => (target, name) => {
  IsOptional()(target, name);
  IsInt()(target, name);
  Min(0)(target, name);
  Max(Number.MAX_SAFE_INTEGER)(target, name);
};

export class ListWorkspacesDto extends CursorPageDto {
  /** Part of the name in any letter case, or the id. */
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
export class QuotaOverridesDto {
  @IsQuota() pending_jobs?: number | null;
  @IsQuota() schedules?: number | null;
  @IsQuota() alerts?: number | null;
  @IsQuota() alert_keywords?: number | null;
  @IsQuota() webhooks?: number | null;
  @IsQuota() api_keys?: number | null;
  @IsQuota() media_bytes?: number | null;
  @IsQuota() concurrent_searches?: number | null;
  @IsQuota() event_streams?: number | null;
  @IsQuota() running_exports?: number | null;
}

export class UpdateWorkspaceDto {
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string;

  /** A suspended workspace's keys get 403; its schedules, jobs and deliveries wait until it is active again. */
  @IsOptional()
  @IsIn(['active', 'suspended'])
  status?: 'active' | 'suspended';

  /** Quotas that are not named stay as they are. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => QuotaOverridesDto)
  quotas?: QuotaOverridesDto;
}

export class RecoverApiKeyDto {
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string = 'Recovery key';

  /** What the key may do; each scope contains those before it in the order read, write, admin. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SCOPES.length)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[] = ['admin'];
}

export class WorkspaceUsageDto {
  posts: number;
  comments: number;
  media_bytes: number;
  pending_jobs: number;
}

/** The overrides that are set, by name; 0 means no limit. */
export class QuotasOfWorkspaceDto {
  pending_jobs?: number;
  schedules?: number;
  alerts?: number;
  alert_keywords?: number;
  webhooks?: number;
  api_keys?: number;
  media_bytes?: number;
  concurrent_searches?: number;
  event_streams?: number;
  running_exports?: number;
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
  /** Last request with one of its keys, to the minute, or creation of its newest job, whichever is later. */
  last_activity_at: Date | null;
  usage: WorkspaceUsageDto;
  /** Quotas that differ from the operator's defaults. */
  quotas: QuotasOfWorkspaceDto;
  /** How far the deletion is; null unless `status` is `deleting`. */
  deletion: WorkspaceDeletionDto | null;

  static from(
    { id, name, status, createdAt, quotas, deletion }: Workspace,
    usage: WorkspaceUsageDto,
    lastActivityAt: Date | null,
  ): AdminWorkspaceDto {
    return {
      id: publicId('workspace', id),
      name,
      status,
      created_at: createdAt,
      last_activity_at: lastActivityAt,
      usage,
      quotas,
      deletion: deletion && { requested_at: deletion.requestedAt, rows: deletion.rows },
    };
  }
}

export class CreatedWorkspaceDto extends AdminWorkspaceDto {
  /** The bare uuid, as in paths and as the command line prints it. */
  workspace_id: string;
  /** The first key, with every scope; no other response shows it. */
  api_key: string;
}

export class AdminWorkspacePageDto {
  workspaces: AdminWorkspaceDto[];
  total: number;
  /** The position after the last item. */
  cursor: string;
  has_more: boolean;
}
