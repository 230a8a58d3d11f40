import { Controller, Get, HttpCode, HttpStatus, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto, DeliveryHistoryDto, DeliveryPageDto, ListDeliveriesDto } from './delivery.dto.js';

@Controller('workspaces/:workspace_id/alerts/:alert_id')
export class AlertDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @ApiOperation({
    summary: "List an alert's deliveries",
    description: 'Notifications sent through the channel of the alert, newest first. Kept for 30 days.',
  })
  list(
    @WorkspaceId() workspaceId: string,
    @Query() query: ListDeliveriesDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<DeliveryPageDto> {
    return this.deliveries.list({ workspaceId, kind: 'alert', id }, query);
  }

  @Get('deliveries/:delivery_id')
  @ApiOperation({
    summary: "Get an alert's delivery",
    description: 'The notification with its event and each of its attempts.',
  })
  history(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryHistoryDto> {
    return this.deliveries.history({ workspaceId, kind: 'alert', id }, deliveryId);
  }

  @Post('test')
  @ApiOperation({
    summary: 'Send a test notification',
    description:
      'Sends an event of type `alert.test` with one sample post through the channel of the alert, even if the alert is inactive or its channel is disabled.',
  })
  test(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<DeliveryDto> {
    return this.deliveries.sendTest({ workspaceId, kind: 'alert', id });
  }

  @Post('deliveries/:delivery_id/redeliver')
  @ApiOperation({
    summary: "Resend an alert's delivery",
    description: 'Sends the notification again immediately and restarts its retry schedule.',
  })
  @HttpCode(HttpStatus.OK)
  redeliver(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.deliveries.redeliver({ workspaceId, kind: 'alert', id }, deliveryId);
  }
}
