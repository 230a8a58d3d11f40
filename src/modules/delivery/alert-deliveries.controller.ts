import { Controller, Get, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';
import { PathId } from '../../http/id.pipe.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto, DeliveryHistoryDto, DeliveryPageDto, ListDeliveriesDto } from './dto/delivery.dto.js';

@Controller('workspaces/:workspace_id/alerts/:alert_id/deliveries')
export class AlertDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** What was sent through the alert's channel and what became of it; kept for 30 days. */
  @Get()
  @ApiProblems('not_found')
  list(
    @WorkspaceId() workspaceId: string,
    @Query() query: ListDeliveriesDto,
    @PathId('alert', 'alert_id') id: string,
  ): Promise<DeliveryPageDto> {
    return this.deliveries.list({ workspaceId, kind: 'alert', id }, query);
  }

  /** A notification with each of its attempts. */
  @Get(':delivery_id')
  @ApiProblems('not_found')
  history(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryHistoryDto> {
    return this.deliveries.history({ workspaceId, kind: 'alert', id }, deliveryId);
  }

  /** Sends a notification again at once, with all attempts before it. */
  @Post(':delivery_id/redeliver')
  @HttpCode(HttpStatus.OK)
  @ApiProblems('not_found')
  redeliver(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('alert', 'alert_id') id: string,
    @PathId('delivery', 'delivery_id') deliveryId: string,
  ): Promise<DeliveryDto> {
    return this.deliveries.redeliver({ workspaceId, kind: 'alert', id }, deliveryId);
  }
}
