import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { PathId } from '../../http/id.pipe.js';
import { MessageDto } from '../../http/message.dto.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { DEFAULT_PAGE_SIZE } from '../../http/page.dto.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKeyDto, CreatedApiKeyDto } from '../api-keys/dto/api-key.dto.js';
import { WorkspaceReset } from '../workspace-data/workspace-reset.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { AdminOperations } from './admin.guard.js';
import { AdminWorkspacesService } from './admin-workspaces.service.js';
import {
  AdminWorkspaceDto,
  AdminWorkspacePageDto,
  CreatedWorkspaceDto,
  CreateWorkspaceDto,
  ListWorkspacesDto,
  RecoverApiKeyDto,
  UpdateWorkspaceDto,
} from './dto/admin-workspace.dto.js';

@AdminOperations()
@Controller('admin/workspaces')
export class AdminWorkspacesController {
  constructor(
    private readonly admin: AdminWorkspacesService,
    private readonly workspaces: WorkspacesService,
    private readonly apiKeys: ApiKeysService,
    private readonly resets: WorkspaceReset,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List workspaces',
    description: 'Newest first, with their use and last activity.',
  })
  list(@Query() { limit = DEFAULT_PAGE_SIZE, ...query }: ListWorkspacesDto): Promise<AdminWorkspacePageDto> {
    return this.admin.list({ ...query, limit });
  }

  @Post()
  @ApiOperation({
    summary: 'Create a workspace',
    description:
      'Creates a workspace and its first key, which has every scope and is shown in this response alone.',
  })
  async create(@Query() _query: NoQueryDto, @Body() body: CreateWorkspaceDto): Promise<CreatedWorkspaceDto> {
    const { workspaceId, apiKey } = await this.workspaces.create(body.name);
    return { ...(await this.admin.get(workspaceId)), workspace_id: workspaceId, api_key: apiKey };
  }

  @Get(':workspace_id')
  @ApiOperation({
    summary: 'Get a workspace',
    description: 'Shows its use, and while it is being deleted, how far that is. 404 once it is deleted.',
  })
  get(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
  ): Promise<AdminWorkspaceDto> {
    return this.admin.get(id);
  }

  @Patch(':workspace_id')
  @ApiOperation({
    summary: 'Update a workspace',
    description:
      'Changes the fields that are sent. While `status` is `suspended` its keys get 403 `workspace_suspended`, and its schedules, jobs and deliveries stand still; a running job stops within seconds. They go on when it is `active` again. `retention_days` deletes posts, comments, media, deliveries and jobs by age.',
  })
  update(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
    @Body() { quotas, retention_days, ...body }: UpdateWorkspaceDto,
  ): Promise<AdminWorkspaceDto> {
    return this.admin.update(id, {
      ...body,
      ...(quotas && { quotas: { ...quotas } }),
      ...(retention_days && { retentionDays: { ...retention_days } }),
    });
  }

  @Delete(':workspace_id')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Delete a workspace',
    description:
      'Begins to delete the workspace with its data, files, queue entries and keys, which cannot be undone. Workers carry it out in small steps and go on after a restart; `deletion` shows how far it is. Afterwards the workspace is unknown.',
  })
  delete(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
  ): Promise<AdminWorkspaceDto> {
    return this.admin.delete(id);
  }

  @Post(':workspace_id/reset')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Empty a workspace',
    description:
      'Deletes its posts, comments, jobs, schedules, alerts, webhooks, deliveries, media, exports and queue entries, which cannot be undone; jobs that run are cancelled first and store nothing afterwards. The workspace, its API keys and its quotas stay. Meant for tests: a workspace with 1,000 posts takes less than 200 ms. A large one may get 503 `unavailable` after 25 s; the same request then goes on.',
  })
  async reset(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
  ): Promise<AdminWorkspaceDto> {
    await this.resets.reset(id);
    return this.admin.get(id);
  }

  @Post(':workspace_id/api-keys')
  @ApiOperation({
    summary: "Create a workspace's API key",
    description:
      'Recovers access when no key is left; the quota of keys does not count. The response is the only place that shows the full key.',
  })
  async createKey(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
    @Body() { name = 'Recovery key', scopes = ['admin'] }: RecoverApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    const { record, key } = await this.workspaces.createKey(id, { name, scopes });
    return { ...ApiKeyDto.from(record), key };
  }

  @Delete(':workspace_id/api-keys/:key_id')
  @ApiOperation({
    summary: "Revoke a workspace's API key",
    description: 'Takes effect with the next request and cannot be undone.',
  })
  async revokeKey(
    @PathId('workspace', 'workspace_id') workspaceId: string,
    @PathId('apiKey', 'key_id') id: string,
    @Query() _query: NoQueryDto,
  ): Promise<MessageDto> {
    await this.apiKeys.revoke(workspaceId, id);
    return { message: 'API key revoked' };
  }
}
