import { Body, Controller, Get, HttpCode, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Patch, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { ApiKeysService } from '../../access/api-keys/api-keys.service.js';
import { ApiKeyDto, CreatedApiKeyDto } from '../../access/api-keys/dto/api-key.dto.js';
import { WorkspaceReset } from '../../privacy/workspaces/workspace-reset.js';
import { WorkspacesService } from '../../access/workspaces/workspaces.service.js';
import { AdminOperations } from '../../access/operators/admin.guard.js';
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
    description: 'Newest first, with usage and last activity.',
  })
  list(@Query() { limit = DEFAULT_PAGE_SIZE, ...query }: ListWorkspacesDto): Promise<AdminWorkspacePageDto> {
    return this.admin.list({ ...query, limit });
  }

  @Post()
  @ApiOperation({
    summary: 'Create a workspace',
    description:
      'Creates a workspace and its first API key, which has all scopes. Only this response shows the key.',
  })
  async create(@Query() _query: NoQueryDto, @Body() body: CreateWorkspaceDto): Promise<CreatedWorkspaceDto> {
    const { workspaceId, apiKey } = await this.workspaces.create(body.name);
    return { ...(await this.admin.get(workspaceId)), workspace_id: workspaceId, api_key: apiKey };
  }

  @Get(':workspace_id')
  @ApiOperation({
    summary: 'Get a workspace',
    description: 'Shows its usage and, during deletion, the progress. Returns 404 after deletion.',
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
      'Changes only the fields in the body. While `status` is `suspended`, API keys of the workspace get 403 `workspace_suspended`, its schedules, jobs and deliveries are paused, and a running job stops within seconds. They continue when `status` is `active` again. `retention_days` sets the age at which posts, comments, media, deliveries and jobs are deleted.',
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
      'Starts deleting the workspace with its data, files, queue entries and keys. This cannot be undone. Workers delete in small steps and continue after a restart; `deletion` shows the progress. Afterwards, requests for the workspace get 404.',
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
      'Deletes its posts, comments, jobs, schedules, alerts, webhooks, deliveries, media, exports and queue entries. This cannot be undone. Running jobs are cancelled first and store nothing afterwards. The workspace, its API keys and its quotas are kept. Intended for tests: a workspace with 1,000 posts takes less than 200 ms. For a large one, the response may be 503 `unavailable` after 25 s; repeat the request to continue.',
  })
  async reset(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
  ): Promise<AdminWorkspaceDto> {
    await this.resets.reset(id);
    return this.admin.get(id);
  }

  @Get(':workspace_id/api-keys')
  @ApiOperation({
    summary: "List a workspace's API keys",
    description:
      'Oldest first, without the keys themselves. Revoked and expired keys stay in the list with `is_active: false`, up to the newest 1,000.',
  })
  async listKeys(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
  ): Promise<ApiKeyDto[]> {
    await this.workspaces.get(id);
    return (await this.apiKeys.list(id)).map((key) => ApiKeyDto.from(key, 'full'));
  }

  @Post(':workspace_id/api-keys')
  @ApiOperation({
    summary: "Create a workspace's API key",
    description:
      'Restores access when no key is left. The API key quota does not apply. Only this response shows the full key.',
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
