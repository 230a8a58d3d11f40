import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller, WorkspaceId } from '../../http/request/workspace.decorator.js';
import { ApiKeysService } from './api-keys.service.js';
import {
  ApiKeyDto,
  CreateApiKeyDto,
  CreatedApiKeyDto,
  DEFAULT_OVERLAP_SECONDS,
  RollApiKeyDto,
  ViewApiKeysDto,
} from './dto/api-key.dto.js';
import { RequireScope } from '../../http/request/scope.decorator.js';

@Controller('workspaces/:workspace_id/api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Get()
  @ApiOperation({
    summary: 'List API keys',
    description:
      'Oldest first. Revoked and expired keys stay in the list with `is_active: false`, up to the newest 1,000.',
  })
  async list(@WorkspaceId() workspaceId: string, @Query() { view }: ViewApiKeysDto): Promise<ApiKeyDto[]> {
    return (await this.apiKeys.list(workspaceId)).map((key) => ApiKeyDto.from(key, view));
  }

  @Get(':key_id')
  @ApiOperation({
    summary: 'Get an API key',
    description: 'The record as in the list of keys. The key itself is never shown again.',
  })
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: ViewApiKeysDto,
    @PathId('apiKey', 'key_id') id: string,
  ): Promise<ApiKeyDto> {
    return ApiKeyDto.from(await this.apiKeys.get(workspaceId, id), view);
  }

  @Post()
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'Only this response shows the full key. After `expires_at`, requests with the key get 401 `expired_api_key`. A key made by a key that expires does so no later, and by default at the same time.',
  })
  @RequireScope('admin')
  @ApiProblems('quota_exceeded')
  async create(
    @WorkspaceId() workspaceId: string,
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    const { record, key } = await this.apiKeys.create(workspaceId, {
      name: body.name,
      scopes: body.scopes ?? ['read'],
      expiresAt: body.expires_at === undefined ? null : new Date(body.expires_at),
      endsBy: caller.expiresAt,
    });
    return { ...ApiKeyDto.from(record), key };
  }

  @Post(':key_id/roll')
  @ApiOperation({
    summary: 'Roll an API key',
    description:
      'Creates a key with the same name and scopes. The old key stays valid for `overlap_seconds`, so that clients can switch to the new one. The new key expires no later than the key of this request. Only this response shows the new key.',
  })
  @RequireScope('admin')
  @ApiProblems('quota_exceeded')
  async roll(
    @WorkspaceId() workspaceId: string,
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @PathId('apiKey', 'key_id') id: string,
    @Body() { overlap_seconds = DEFAULT_OVERLAP_SECONDS, expires_at }: RollApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    const { record, key } = await this.apiKeys.roll(workspaceId, id, {
      overlapSeconds: overlap_seconds,
      expiresAt: expires_at === undefined ? null : new Date(expires_at),
      endsBy: caller.expiresAt,
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
