import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { ApiKeysService } from '../../access/api-keys/api-keys.service.js';
import { JobsRepository } from '../../collect/jobs/jobs.repository.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import type { Workspace } from '../../tenants/workspaces/workspace.entity.js';
import {
  type WorkspaceChanges,
  type WorkspaceListQuery,
  WorkspacesService,
} from '../../access/workspaces/workspaces.service.js';
import {
  AdminWorkspaceDto,
  type AdminWorkspacePageDto,
  type WorkspaceUsageDto,
} from './dto/admin-workspace.dto.js';

/** Workspaces whose usage is counted in parallel, so that a page uses few of the process's database connections. */
const COUNTED_AT_ONCE = 3;

/** Workspaces as operators see them, with usage and last activity. */
@Injectable()
export class AdminWorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly inactive: InactiveWorkspaces,
    private readonly apiKeys: ApiKeysService,
    private readonly jobs: JobsRepository,
    private readonly quotas: QuotasService,
  ) {}

  /** Throws 400 `invalid_cursor`. */
  async list(query: WorkspaceListQuery): Promise<AdminWorkspacePageDto> {
    const { workspaces, total, cursor, hasMore } = await this.workspaces.list(query);
    return { workspaces: await this.describe(workspaces), total, cursor, has_more: hasMore };
  }

  /** Throws 404. */
  async get(workspaceId: string): Promise<AdminWorkspaceDto> {
    const [described] = await this.describe([await this.workspaces.get(workspaceId)]);
    return described!;
  }

  /** Throws 404. A new status and new quotas apply in this process when this resolves, in others within a second. */
  async update(workspaceId: string, changes: WorkspaceChanges): Promise<AdminWorkspaceDto> {
    await this.workspaces.update(workspaceId, changes);
    await this.inactive.refresh();
    await this.quotas.limits(workspaceId);
    return this.get(workspaceId);
  }

  /** Starts the deletion of a workspace; its keys are rejected once this resolves. Throws 404. */
  async delete(workspaceId: string): Promise<AdminWorkspaceDto> {
    await this.workspaces.requestDeletion(workspaceId);
    await this.inactive.refresh();
    return this.get(workspaceId);
  }

  private async describe(workspaces: readonly Workspace[]): Promise<AdminWorkspaceDto[]> {
    const ids = workspaces.map(({ id }) => id);
    const uses = await this.apiKeys.lastUses(ids);
    const jobs = await this.jobs.newestTimes(ids);
    const limit = pLimit(COUNTED_AT_ONCE);
    return Promise.all(
      workspaces.map((workspace) =>
        limit(async () =>
          AdminWorkspaceDto.from(
            workspace,
            await this.usage(workspace.id),
            latest(uses.get(workspace.id), jobs.get(workspace.id)),
            this.quotas.defaults(),
          ),
        ),
      ),
    );
  }

  private async usage(workspaceId: string): Promise<WorkspaceUsageDto> {
    return {
      posts: await this.quotas.used('posts', workspaceId),
      comments: await this.quotas.used('comments', workspaceId),
      media_bytes: await this.quotas.used('media_bytes', workspaceId),
      pending_jobs: await this.quotas.used('pending_jobs', workspaceId),
    };
  }
}

function latest(...times: (Date | undefined)[]): Date | null {
  const given = times.filter((time) => time !== undefined);
  return given.length === 0 ? null : new Date(Math.max(...given.map(Number)));
}
