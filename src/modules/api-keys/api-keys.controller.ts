import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { PathId } from '../../http/id.pipe.js';
import { MessageDto } from '../../http/message.dto.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto.js';
import { RequireScope } from './scope.decorator.js';

@Controller('workspaces/:workspace_id/api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @ApiOperation({
    summary: 'List API keys',
    description: 'Oldest first. Revoked keys stay in the list with `is_active: false`.',
  })
  async list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<ApiKeyDto[]> {
    return (await this.apiKeys.list(workspaceId)).map((key) => ApiKeyDto.from(key));
  }

  @Get(':key_id')
  @ApiOperation({
    summary: 'Get an API key',
    description: 'The record as in the list of keys. The key itself is never shown again.',
  })
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('apiKey', 'key_id') id: string,
  ): Promise<ApiKeyDto> {
    return ApiKeyDto.from(await this.apiKeys.get(workspaceId, id));
  }

  @Post()
  @ApiOperation({
    summary: 'Create an API key',
    description: 'The response is the only place that shows the full key.',
  })
  @RequireScope('admin')
  @ApiProblems('quota_exceeded')
  async create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    const { record, key } = await this.apiKeys.create(workspaceId, {
      name: body.name,
      scopes: body.scopes ?? ['read'],
    });
    return { ...ApiKeyDto.from(record), key };
  }

  @Delete(':key_id')
  @ApiOperation({
    summary: 'Revoke an API key',
    description: 'Takes effect with the next request and cannot be undone.',
  })
  @RequireScope('admin')
  async revoke(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('apiKey', 'key_id') id: string,
  ): Promise<MessageDto> {
    await this.apiKeys.revoke(workspaceId, id);
    return { message: 'API key revoked' };
  }
}
