import { Body, Controller, Get, HttpCode, HttpStatus, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Post, ReadOnly } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { ResolvedTargetDto, ResolveTargetDto, SourceListDto } from './dto/source.dto.js';
import { SourcesService } from './sources.service.js';

@Controller()
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  @Get('sources')
  @ApiOperation({
    summary: 'List sources',
    description:
      'Every source with the forms of its targets, its request limit, and the parts that its content lacks in comparison.',
  })
  list(@Query() _query: NoQueryDto): SourceListDto {
    return this.sources.list();
  }

  @Post('workspaces/:workspace_id/sources/resolve')
  @RequireScope('read')
  @ReadOnly()
  @ApiOperation({
    summary: 'Find the target at an address',
    description:
      'The target that a job needs to scrape the forum or user at an address copied from a browser; for a topic, its forum. A site that no source knows gets a few requests, within its limit and for at most ten seconds, to find out which software it runs.',
  })
  @HttpCode(HttpStatus.OK)
  resolve(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: ResolveTargetDto,
  ): Promise<ResolvedTargetDto> {
    return this.sources.resolve(workspaceId, body.url);
  }
}
