import { applyDecorators, Body, Controller, Get, HttpCode, HttpStatus, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { Delete, Patch, Post, ReadOnly } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { MayWrite, WorkspaceId } from '../../http/request/workspace.decorator.js';
import { ReportContentDto } from './report-content.dto.js';
import {
  CreateReportDto,
  DraftReportDto,
  ReadReportDto,
  ReportDto,
  type ReportFormat,
  UpdateReportDto,
} from './report.dto.js';
import { ReportReader } from './report-reader.js';
import { ReportsService } from './reports.service.js';

const MEDIA_TYPES: Record<ReportFormat, string> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

/** The page runs no scripts and loads nothing; the dashboard shows it in a frame. */
const PAGE_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox";

const ApiReport = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ReportContentDto),
    ApiOkResponse({
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ReportContentDto) } },
        'text/html': { schema: { type: 'string' } },
        'text/markdown': { schema: { type: 'string' } },
      },
    }),
  );

@Controller('workspaces/:workspace_id/reports')
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly reader: ReportReader,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List reports',
    description: 'Oldest first. Addresses in `channel_config` are masked for keys without the `write` scope.',
  })
  list(
    @WorkspaceId() workspaceId: string,
    @MayWrite() mayWrite: boolean,
    @Query() _query: NoQueryDto,
  ): Promise<ReportDto[]> {
    return this.reports.list(workspaceId, !mayWrite);
  }

  @Post()
  @ApiOperation({
    summary: 'Create a report',
    description:
      'Sent once a period through its channel: volume, mean sentiment and share of voice of alerts and saved searches, compared with the period before, and posts to answer.',
  })
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateReportDto,
  ): Promise<ReportDto> {
    return this.reports.create(workspaceId, body);
  }

  @Post('preview')
  @ReadOnly()
  @ApiOperation({
    summary: 'Preview a report',
    description: 'The last period that is over, as an unsaved report shows it. Nothing is stored or sent.',
  })
  @HttpCode(HttpStatus.OK)
  @ApiReport()
  async preview(
    @WorkspaceId() workspaceId: string,
    @Query() { format }: ReadReportDto,
    @Body() body: DraftReportDto,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.reader.preview(workspaceId, body), format);
  }

  @Get(':report_id')
  @ApiOperation({
    summary: 'Get a report',
    description:
      'The record as in the list of reports. Addresses in `channel_config` are masked for keys without the `write` scope.',
  })
  get(
    @WorkspaceId() workspaceId: string,
    @MayWrite() mayWrite: boolean,
    @Query() _query: NoQueryDto,
    @PathId('report', 'report_id') id: string,
  ): Promise<ReportDto> {
    return this.reports.show(workspaceId, id, !mayWrite);
  }

  @Get(':report_id/latest')
  @ApiOperation({
    summary: 'Read the latest report',
    description:
      'The last period that is over, counted now: each figure equals what `/analytics` answers for the same filters.',
  })
  @ApiReport()
  async latest(
    @WorkspaceId() workspaceId: string,
    @Query() { format }: ReadReportDto,
    @PathId('report', 'report_id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    this.send(response, await this.reader.latest(workspaceId, id), format);
  }

  @Patch(':report_id')
  @ApiOperation({ summary: 'Update a report', description: 'Changes only the fields in the body.' })
  update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('report', 'report_id') id: string,
    @Body() body: UpdateReportDto,
  ): Promise<ReportDto> {
    return this.reports.update(workspaceId, id, body);
  }

  @Delete(':report_id')
  @ApiOperation({ summary: 'Delete a report', description: 'Ends the report; its alerts and searches stay.' })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('report', 'report_id') id: string,
  ): Promise<MessageDto> {
    await this.reports.delete(workspaceId, id);
    return { message: 'Report deleted' };
  }

  private send(response: Response, content: ReportContentDto, format: ReportFormat = 'json'): void {
    response.set('Content-Type', MEDIA_TYPES[format]);
    if (format === 'html') response.set('Content-Security-Policy', PAGE_POLICY);
    response.send(this.reader.rendered(content, format));
  }
}
