import { Controller, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import { PathId } from '../../http/id.pipe.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto, DeliveryHistoryDto, DeliveryPageDto, ListDeliveriesDto } from './dto/delivery.dto.js';

@Controller('workspaces/:workspace_id/webhooks/:webhook_id')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** What was sent to the webhook and what became of it; kept for 30 days. */
  @Get('deliveries')
  @ApiProblems('not_found')
  list(
    @WorkspaceId() workspaceId: string,
    @Query() query: ListDeliveriesDto,
    @PathId('webhook', 'webhook_id') id: string,
  ): Promise<DeliveryPageDto> {
    return this.deliveries.list({ workspaceId, kind: 'webhook', id }, query);
  }

  /** A delivery with each of its attempts. */
  @Get('deliveries/:delivery_id')
  @ApiProblems('not_found')
  history(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryHistoryDto> {
    return this.deliveries.history({ workspaceId, kind: 'webhook', id }, deliveryId);
  }

  /** Sends an event of type `webhook.test`, even while the webhook is switched off. */
  @Post('test')
  @ApiProblems('not_found')
  test(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
  ): Promise<DeliveryDto> {
    return this.deliveries.sendTest(workspaceId, id);
  }

  /** Sends a delivery again at once, with all attempts before it and the same `webhook-id`. */
  @Post('deliveries/:delivery_id/redeliver')
  @HttpCode(HttpStatus.OK)
  @ApiProblems('not_found')
  redeliver(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('webhook', 'webhook_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.deliveries.redeliver({ workspaceId, kind: 'webhook', id }, deliveryId);
  }
}
