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
import { ApiStoredFile } from '../../http/files/stored-file.openapi.js';
import { sendStoredFile } from '../../http/files/stored-file.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { CreateExportDto, ExportDto, ExportPageDto } from './dto/export-job.dto.js';
import { mediaType } from './export-format.js';
import { COMPRESSIONS } from './formats/compression.js';
import { EXPORT_FORMATS } from './formats/export-formats.js';
import { ExportJobsService } from './export-jobs.service.js';

/** Largest part number that Postgres can hold. */
const MAX_NUMBER = 2_147_483_647;

@Controller('workspaces/:workspace_id/exports')
export class ExportJobsController {
  constructor(private readonly exports: ExportJobsService) {}

  @Post()
  @ApiOperation({
    summary: 'Create an export',
    description:
      'Queues an export of any number of posts or comments. A worker writes it as one or more parts, which can be downloaded for seven days.',
  })
  @ApiProblems('quota_exceeded', 'too_many_concurrent_requests')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateExportDto,
  ): Promise<ExportDto> {
    return this.exports.create(workspaceId, body);
  }

  @Get()
  @ApiOperation({ summary: 'List exports', description: 'Newest first.' })
  list(@WorkspaceId() workspaceId: string, @Query() query: OffsetPageDto): Promise<ExportPageDto> {
    return this.exports.list(workspaceId, query);
  }

  @Get(':export_id')
  @ApiOperation({ summary: 'Get an export', description: 'Status, counts and the finished parts.' })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('export', 'export_id') id: string,
  ): Promise<ExportDto> {
    return this.exports.get(workspaceId, id);
  }

  @BulkGet(':export_id/parts/:number')
  @ApiOperation({
    summary: 'Download a part of an export',
    description: 'The file of the part. Compare its checksum with `sha256` of the part.',
  })
  @ApiParam({ name: 'number', schema: { type: 'integer', minimum: 1 }, description: 'From 1.' })
  @ApiProduces(
    ...EXPORT_FORMATS.all.map(mediaType),
    ...COMPRESSIONS.map((compression) => `application/${compression}`),
  )
  @ApiStoredFile()
  async getExportPart(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('export', 'export_id') id: string,
    @Param('number') number: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile | undefined> {
    if (!/^[1-9]\d{0,9}$/.test(number) || Number(number) > MAX_NUMBER)
      throw Problem.validation([{ field: 'number', message: 'number must be a whole number from 1' }]);
    return sendStoredFile(await this.exports.openPart(workspaceId, id, Number(number)), request, response);
  }

  @Delete(':export_id')
  @ApiProblems('method_not_allowed')
  @ApiOperation({
    summary: 'Delete an export',
    description:
      'Deletes its files. A pending or running export is cancelled and stays in the list; an ended one is deleted.',
  })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('export', 'export_id') id: string,
  ): Promise<MessageDto> {
    return { message: `Export ${await this.exports.remove(workspaceId, id)}` };
  }
}
