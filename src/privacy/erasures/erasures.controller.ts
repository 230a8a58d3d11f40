import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { OffsetPageDto } from '../../http/pages/page.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { CreateErasureDto, type ErasureDto, type ErasurePageDto } from './dto/erasure.dto.js';
import { ErasuresService } from './erasures.service.js';

@Controller('workspaces/:workspace_id')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Get('erasures')
  @ApiOperation({ summary: 'List erasures', description: 'Newest first. Names of accounts are not stored.' })
  list(@WorkspaceId() workspaceId: string, @Query() page: OffsetPageDto): Promise<ErasurePageDto> {
    return this.erasures.list(workspaceId, page);
  }

  @Post('erasures')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase content',
    description:
      'Erases a post, a comment, or everything of an account: rows, files, matches of alerts, payloads of deliveries, exports and search index. Schedulers do this in small steps; `removed` shows the progress, and `status` is `completed` when nothing is left. With `suppress`, scrapes and imports do not store the content again, even if the account is renamed to `[deleted]`.',
  })
  @RequireScope('admin')
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateErasureDto,
  ): Promise<ErasureDto> {
    return this.erasures.create(workspaceId, body);
  }

  @Get('erasures/:erasure_id')
  @ApiOperation({ summary: 'Get an erasure', description: 'With the numbers of rows removed so far.' })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('erasure', 'erasure_id') id: string,
  ): Promise<ErasureDto> {
    return this.erasures.get(workspaceId, id);
  }

  @Delete('posts/:post_id')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase a post',
    description:
      'Erases a stored post with its comments and files, and suppresses it, as Erase content does.',
  })
  @RequireScope('admin')
  @ApiProblems('quota_exceeded')
  deletePost(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') id: string,
  ): Promise<ErasureDto> {
    return this.erasures.deletePost(workspaceId, id);
  }

  @Delete('comments/:comment_id')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase a comment',
    description: 'Erases a stored comment, and suppresses it, as Erase content does. Replies to it are kept.',
  })
  @RequireScope('admin')
  @ApiProblems('quota_exceeded')
  deleteComment(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('comment_id') id: string,
  ): Promise<ErasureDto> {
    return this.erasures.deleteComment(workspaceId, id);
  }
}
