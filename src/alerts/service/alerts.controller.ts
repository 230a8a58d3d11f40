import { Body, Controller, Get, HttpCode, HttpStatus, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { RecallDto } from '../../content/analytics/dto/recall.dto.js';
import { Delete, Patch, Post, ReadOnly } from '../../http/changes/change.decorators.js';
import { OffsetPageDto } from '../../http/pages/page.dto.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { MayWrite, WorkspaceId } from '../../http/request/workspace.decorator.js';
import { AlertsService } from './alerts.service.js';
import { AlertMatchPageDto, AlertPreviewDto } from './alert-match.dto.js';
import {
  AlertDto,
  CreateAlertDto,
  DraftAlertDto,
  UpdateAlertDto,
  ViewAlertsDto,
} from '../alert/alert.dto.js';
import { AlertMatchListService } from './alert-match-list.service.js';
import { AlertRelevanceDto } from '../relevance/alert-relevance.dto.js';
import { AlertRelevanceService } from './alert-relevance.service.js';
import { AlertRecallService } from './alert-recall.service.js';
import { AlertPreviewsService } from './alert-previews.service.js';

@Controller('workspaces/:workspace_id/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly previews: AlertPreviewsService,
    private readonly matches: AlertMatchListService,
    private readonly relevance: AlertRelevanceService,
    private readonly recall: AlertRecallService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List alerts',
    description: 'Oldest first. Addresses in `channel_config` are masked for keys without the `write` scope.',
  })
  list(
    @WorkspaceId() workspaceId: string,
    @MayWrite() mayWrite: boolean,
    @Query() { view }: ViewAlertsDto,
  ): Promise<AlertDto[]> {
    return this.alerts.list(workspaceId, { masked: !mayWrite, view });
  }

  @Post()
  @ApiOperation({
    summary: 'Create an alert',
    description: 'Matches posts and comments that are stored for the first time from now on.',
  })
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: ViewAlertsDto,
    @Body() body: CreateAlertDto,
  ): Promise<AlertDto> {
    return this.alerts.create(workspaceId, body, view);
  }

  @Post('preview')
  @ReadOnly()
  @ApiOperation({
    summary: 'Preview an alert',
    description:
      'Matches an unsaved alert against the newest 1,000 stored posts and comments. Nothing is stored or sent.',
  })
  @HttpCode(HttpStatus.OK)
  preview(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: DraftAlertDto,
  ): Promise<AlertPreviewDto> {
    return this.previews.preview(workspaceId, body);
  }

  @Get(':alert_id')
  @ApiOperation({
    summary: 'Get an alert',
    description:
      'The record as in the list of alerts. Addresses in `channel_config` are masked for keys without the `write` scope.',
  })
  get(
    @WorkspaceId() workspaceId: string,
    @MayWrite() mayWrite: boolean,
    @Query() { view }: ViewAlertsDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<AlertDto> {
    return this.alerts.show(workspaceId, id, { masked: !mayWrite, view });
  }

  @Patch(':alert_id')
  @ApiOperation({ summary: 'Update an alert', description: 'Changes only the fields in the body.' })
  @ApiProblems('quota_exceeded')
  update(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: ViewAlertsDto,
    @PathId('alert', 'alert_id') id: string,
    @Body() body: UpdateAlertDto,
  ): Promise<AlertDto> {
    return this.alerts.update(workspaceId, id, body, view);
  }

  @Delete(':alert_id')
  @ApiOperation({ summary: 'Delete an alert', description: 'Deletes the alert with its matches.' })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<MessageDto> {
    await this.alerts.delete(workspaceId, id);
    return { message: 'Alert deleted' };
  }

  @Get(':alert_id/relevance')
  @ApiOperation({
    summary: "Get an alert's relevance",
    description:
      'What the alert learned from kept and dismissed matches, and how precise its other matches are.',
  })
  getAlertRelevance(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<AlertRelevanceDto> {
    return this.relevance.show(workspaceId, id);
  }

  @Get(':alert_id/matches')
  @ApiOperation({
    summary: "List an alert's matches",
    description: 'Posts that matched the alert, newest match first.',
  })
  listMatches(
    @WorkspaceId() workspaceId: string,
    @Query() query: OffsetPageDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<AlertMatchPageDto> {
    return this.matches.list(workspaceId, id, query);
  }

  @Get(':alert_id/recall')
  @ApiOperation({
    summary: 'Estimate what an alert misses',
    description:
      'As `GET /search/recall` for the keywords, query and forums of the alert, over its stored posts; over comments for an alert on comments only.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  measureRecall(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<RecallDto> {
    return this.recall.measure(workspaceId, id);
  }
}
