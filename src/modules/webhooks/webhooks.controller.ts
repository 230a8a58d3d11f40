import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { PathId } from '../../http/id.pipe.js';
import { MessageDto } from '../../http/message.dto.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { CreateWebhookDto, UpdateWebhookDto, WebhookDto } from './dto/webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('workspaces/:workspace_id/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @ApiProblems()
  async list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<WebhookDto[]> {
    return (await this.webhooks.list(workspaceId)).map((webhook) => WebhookDto.from(webhook));
  }

  @Post()
  @ApiProblems('body_too_large', 'unsupported_media_type')
  async create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateWebhookDto,
  ): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.create(workspaceId, body));
  }

  @Patch(':webhook_id')
  @ApiProblems('not_found', 'body_too_large', 'unsupported_media_type')
  async update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
    @Body() body: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.update(workspaceId, id, body));
  }

  @Delete(':webhook_id')
  @ApiProblems('not_found')
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
  ): Promise<MessageDto> {
    await this.webhooks.delete(workspaceId, id);
    return { message: 'Webhook deleted' };
  }
}
