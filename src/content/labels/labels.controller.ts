import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Post } from '../../http/changes/change.decorators.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import {
  AgreementDto,
  AgreementQueryDto,
  CreatedLabelsDto,
  CreateLabelsDto,
  LabellersDto,
} from './dto/label.dto.js';
import { LabelsService } from './labels.service.js';

@Controller('workspaces/:workspace_id/labels')
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  @Post()
  @ApiOperation({
    summary: 'Import labels',
    description:
      'Adds or replaces labels of posts and comments by one labeller, from a CSV table. New datasets have them as the column `label_` and the name of the labeller.',
  })
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateLabelsDto,
  ): Promise<CreatedLabelsDto> {
    return this.labels.create(workspaceId, body);
  }

  @Get()
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  @ApiOperation({ summary: 'List labellers', description: 'Who labelled how much, by name.' })
  list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<LabellersDto> {
    return this.labels.list(workspaceId);
  }

  @Get('agreement')
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  @ApiOperation({
    summary: 'Compare labellers',
    description: "Cohen's kappa of each two labellers, and Krippendorff's alpha of all.",
  })
  agreement(
    @WorkspaceId() workspaceId: string,
    @Query() { labellers }: AgreementQueryDto,
  ): Promise<AgreementDto> {
    return this.labels.agreement(workspaceId, labellers?.split(','));
  }

  @Delete(':labeller')
  @ApiOperation({ summary: 'Delete the labels of a labeller', description: 'Datasets keep their columns.' })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('labeller') labeller: string,
  ): Promise<MessageDto> {
    await this.labels.delete(workspaceId, labeller);
    return { message: 'Labels deleted' };
  }
}
