import { Body, Controller, Delete, Get, HttpCode, HttpStatus, Patch, Post, Query } from '@nestjs/common';
import { OffsetPageDto } from '../../http/offset-page.dto.js';
import { PathId } from '../../http/id.pipe.js';
import { MessageDto } from '../../http/message.dto.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { AlertsService } from './alerts.service.js';
import { AlertMatchPageDto, AlertPreviewDto } from './dto/alert-match.dto.js';
import { AlertDto, CreateAlertDto, DraftAlertDto, UpdateAlertDto } from './dto/alert.dto.js';

@Controller('workspaces/:workspace_id/alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get()
  @ApiProblems()
  list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<AlertDto[]> {
    return this.alerts.list(workspaceId);
  }

  @Post()
  @ApiProblems('body_too_large', 'unsupported_media_type')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateAlertDto,
  ): Promise<AlertDto> {
    return this.alerts.create(workspaceId, body);
  }

  /** What a draft would have matched among the newest 1,000 stored posts. */
  @Post('preview')
  @HttpCode(HttpStatus.OK)
  @ApiProblems('body_too_large', 'unsupported_media_type')
  preview(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: DraftAlertDto,
  ): Promise<AlertPreviewDto> {
    return this.alerts.preview(workspaceId, body);
  }

  @Patch(':alert_id')
  @ApiProblems('not_found', 'body_too_large', 'unsupported_media_type')
  update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
    @Body() body: UpdateAlertDto,
  ): Promise<AlertDto> {
    return this.alerts.update(workspaceId, id, body);
  }

  @Delete(':alert_id')
  @ApiProblems('not_found')
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<MessageDto> {
    await this.alerts.delete(workspaceId, id);
    return { message: 'Alert deleted' };
  }

  @Get(':alert_id/matches')
  @ApiProblems('not_found')
  listMatches(
    @WorkspaceId() workspaceId: string,
    @Query() query: OffsetPageDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<AlertMatchPageDto> {
    return this.alerts.listMatches(workspaceId, id, query);
  }
}
