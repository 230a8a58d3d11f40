import { Body, Controller, Get, Inject, Query, Req } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Request } from 'express';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Delete, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { ownAddress } from '../../http/request/own-address.js';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller, WorkspaceId } from '../../http/request/workspace.decorator.js';
import { CreatePinnedTrendDto, PinnedTrendDto, TrendLinkDto } from './pinned-trend.dto.js';
import { PinnedTrendsService } from './pinned-trends.service.js';

@Controller('workspaces/:workspace_id/trends/pins')
export class PinnedTrendsController {
  constructor(
    private readonly pins: PinnedTrendsService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List pinned trends', description: 'Oldest first.' })
  list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<PinnedTrendDto[]> {
    return this.pins.list(workspaceId);
  }

  @Post()
  @ApiOperation({
    summary: 'Pin a trend',
    description: 'All members of the workspace see its chart on Home. A workspace has at most 50.',
  })
  @ApiProblems('quota_exceeded', 'search_timeout', 'too_many_concurrent_requests')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreatePinnedTrendDto,
  ): Promise<PinnedTrendDto> {
    return this.pins.create(workspaceId, body);
  }

  @Delete(':pin_id')
  @ApiOperation({ summary: 'Remove a pinned trend', description: 'Its read-only link ends with it.' })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('pin', 'pin_id') id: string,
  ): Promise<MessageDto> {
    await this.pins.delete(workspaceId, id);
    return { message: 'Pin removed' };
  }

  @Post(':pin_id/link')
  @ApiOperation({
    summary: 'Create a read-only link',
    description:
      'A secret address that shows the chart of the trend, and nothing else, to people without an account. It is shown once, and the one created before ends. It ends after 90 days, or with the key that creates it.',
  })
  async createLink(
    @WorkspaceId() workspaceId: string,
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @PathId('pin', 'pin_id') id: string,
    @Req() request: Request,
  ): Promise<TrendLinkDto> {
    const { token, expiresAt } = await this.pins.createLink(workspaceId, id, caller.expiresAt);
    // Browsers send no fragment, so that the token is in no log of a page's address.
    const site = ownAddress(request, this.environment.PUBLIC_URL);
    return { link_url: `${site}/shared/trends#${token}`, expires_at: expiresAt };
  }

  @Delete(':pin_id/link')
  @ApiOperation({ summary: 'End a read-only link', description: 'Its address answers 404 from now on.' })
  async endLink(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('pin', 'pin_id') id: string,
  ): Promise<MessageDto> {
    await this.pins.endLink(workspaceId, id);
    return { message: 'Link ended' };
  }
}
