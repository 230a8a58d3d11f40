import { Controller, Get, HttpCode, HttpStatus, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto, DeliveryHistoryDto, DeliveryPageDto, ListDeliveriesDto } from './delivery.dto.js';

@Controller('workspaces/:workspace_id/webhooks/:webhook_id')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @ApiOperation({
    summary: "List a webhook's deliveries",
    description: 'Events sent to the webhook, newest first. Kept for 30 days.',
  })
  list(
    @WorkspaceId() workspaceId: string,
    @Query() query: ListDeliveriesDto,
    @PathId('webhook', 'webhook_id') id: string,
  ): Promise<DeliveryPageDto> {
    return this.deliveries.list({ workspaceId, kind: 'webhook', id }, query);
  }

  @Get('deliveries/:delivery_id')
  @ApiOperation({
    summary: "Get a webhook's delivery",
    description: 'The delivery with its event and each of its attempts.',
  })
  history(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryHistoryDto> {
    return this.deliveries.history({ workspaceId, kind: 'webhook', id }, deliveryId);
  }

  @Post('test')
  @ApiOperation({
    summary: 'Send a test event',
    description: 'Sends an event of type `webhook.test`, even if the webhook is inactive.',
  })
  test(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
  ): Promise<DeliveryDto> {
    return this.deliveries.sendTest({ workspaceId, kind: 'webhook', id });
  }

  @Post('deliveries/:delivery_id/redeliver')
  @ApiOperation({
    summary: "Resend a webhook's delivery",
    description:
      'Sends the event again immediately with the same `webhook-id` and restarts its retry schedule.',
  })
  @HttpCode(HttpStatus.OK)
  redeliver(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.deliveries.redeliver({ workspaceId, kind: 'webhook', id }, deliveryId);
  }
}
