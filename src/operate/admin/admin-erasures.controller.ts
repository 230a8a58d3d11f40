import { Body, Controller, Get, HttpCode, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { OffsetPageDto } from '../../http/pages/page.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import {
  CreateErasureDto,
  type ErasureDto,
  type ErasurePageDto,
} from '../../privacy/erasures/dto/erasure.dto.js';
import { ErasuresService } from '../../privacy/erasures/erasures.service.js';
import { WorkspacesService } from '../../access/workspaces/workspaces.service.js';
import { AdminOperations } from '../../access/operators/admin.guard.js';

@AdminOperations()
@Controller('admin/workspaces/:workspace_id/erasures')
export class AdminErasuresController {
  constructor(
    private readonly erasures: ErasuresService,
    private readonly workspaces: WorkspacesService,
  ) {}

  @Get()
  @ApiOperation({
    summary: "List a workspace's erasures",
    description: 'Newest first, with the numbers of removed rows. Names of accounts are not stored.',
  })
  async list(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() page: OffsetPageDto,
  ): Promise<ErasurePageDto> {
    await this.workspaces.get(id);
    return this.erasures.list(id, page);
  }

  @Post()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erase content of a workspace',
    description:
      'Like Erase content, for operators whom people ask. The audit log does not name the account.',
  })
  @ApiProblems('quota_exceeded')
  async create(
    @PathId('workspace', 'workspace_id') id: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateErasureDto,
  ): Promise<ErasureDto> {
    await this.workspaces.get(id);
    return this.erasures.create(id, body);
  }
}
