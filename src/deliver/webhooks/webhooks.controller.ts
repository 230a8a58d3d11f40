import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Patch, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { MayWrite, WorkspaceId } from '../../http/request/workspace.decorator.js';
import { CreateWebhookDto, UpdateWebhookDto, ViewWebhooksDto, WebhookDto } from './dto/webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('workspaces/:workspace_id/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @ApiOperation({
    summary: 'List webhooks',
    description:
      'Oldest first. Secrets are never shown, and of URLs only scheme and host to keys without the `write` scope.',
  })
  list(
    @WorkspaceId() workspaceId: string,
    @MayWrite() mayWrite: boolean,
    @Query() { view }: ViewWebhooksDto,
  ): Promise<WebhookDto[]> {
    return this.webhooks.list(workspaceId, { masked: !mayWrite, view });
  }

  @Post()
  @ApiOperation({
    summary: 'Create a webhook',
    description: 'Sends events of the chosen types to `url` from now on, signed if `secret` is set.',
  })
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: ViewWebhooksDto,
    @Body() body: CreateWebhookDto,
  ): Promise<WebhookDto> {
    return this.webhooks.create(workspaceId, body, { view });
  }

  @Get(':webhook_id')
  @ApiOperation({
    summary: 'Get a webhook',
    description:
      'The record as in the list of webhooks. Secrets are never shown, and of the URL only scheme and host to keys without the `write` scope.',
  })
  get(
    @WorkspaceId() workspaceId: string,
    @MayWrite() mayWrite: boolean,
    @Query() { view }: ViewWebhooksDto,
    @PathId('webhook', 'webhook_id') id: string,
  ): Promise<WebhookDto> {
    return this.webhooks.show(workspaceId, id, { masked: !mayWrite, view });
  }

  @Patch(':webhook_id')
  @ApiOperation({
    summary: 'Update a webhook',
    description:
      'Changes only the fields in the body. After `secret` changes, deliveries are signed with both the new and the previous secret for 24 hours.',
  })
  update(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: ViewWebhooksDto,
    @PathId('webhook', 'webhook_id') id: string,
    @Body() body: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return this.webhooks.update(workspaceId, id, body, { view });
  }

  @Delete(':webhook_id')
  @ApiOperation({ summary: 'Delete a webhook', description: 'Pending deliveries are not sent.' })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
  ): Promise<MessageDto> {
    await this.webhooks.delete(workspaceId, id);
    return { message: 'Webhook deleted' };
  }
}
