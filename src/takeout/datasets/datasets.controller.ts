import { Body, Controller, Get, Param, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BulkGet, Delete, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { OffsetPageDto } from '../../http/pages/page.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { sendStoredFile } from '../../http/files/stored-file.js';
import { ApiStoredFile } from '../../http/files/stored-file.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { CONTENT_TYPE } from './dataset-files.js';
import { DatasetsService } from './datasets.service.js';
import { CreateDatasetDto, DatasetDto, DatasetPageDto } from './dto/dataset.dto.js';

const PART_NUMBER = /^[1-9]\d{0,8}$/;

@Controller('workspaces/:workspace_id/datasets')
export class DatasetsController {
  constructor(private readonly datasets: DatasetsService) {}

  @Post()
  @ApiOperation({
    summary: 'Create a dataset',
    description:
      'Freezes the ids and values of a search: a worker writes the rows of one moment as Parquet, which later changes do not touch. Only erasures remove rows. It is kept until it is deleted.',
  })
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateDatasetDto,
  ): Promise<DatasetDto> {
    return this.datasets.create(workspaceId, body);
  }

  @Get()
  @ApiOperation({ summary: 'List datasets', description: 'Newest first, with the rows erased from each.' })
  list(@WorkspaceId() workspaceId: string, @Query() query: OffsetPageDto): Promise<DatasetPageDto> {
    return this.datasets.list(workspaceId, query);
  }

  @Get(':dataset_id')
  @ApiOperation({ summary: 'Get a dataset', description: 'Status, files and manifest.' })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('dataset', 'dataset_id') id: string,
  ): Promise<DatasetDto> {
    return this.datasets.get(workspaceId, id);
  }

  @BulkGet(':dataset_id/parts/:number')
  @ApiOperation({
    summary: 'Download a part of a dataset',
    description: 'The Parquet file of the part. Compare its checksum with `sha256` of the part.',
  })
  @ApiParam({ name: 'number', schema: { type: 'integer', minimum: 1 }, description: 'From 1.' })
  @ApiProduces(CONTENT_TYPE)
  @ApiStoredFile()
  async getDatasetPart(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('dataset', 'dataset_id') id: string,
    @Param('number') number: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    if (!PART_NUMBER.test(number))
      throw Problem.validation([{ field: 'number', message: 'number must be a whole number from 1' }]);
    return sendStoredFile(await this.datasets.openPart(workspaceId, id, Number(number)), request, response);
  }

  @Delete(':dataset_id')
  @ApiOperation({ summary: 'Delete a dataset', description: 'Deletes it with its files.' })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('dataset', 'dataset_id') id: string,
  ): Promise<MessageDto> {
    await this.datasets.delete(workspaceId, id);
    return { message: 'Dataset deleted' };
  }
}
