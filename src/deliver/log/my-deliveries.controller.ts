import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller } from '../../http/request/workspace.decorator.js';
import { personOf } from '../subscriptions/person.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryPageDto, ListDeliveriesDto } from './delivery.dto.js';

@Controller('workspaces/:workspace_id/me/notifications/deliveries')
export class MyDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @ApiOperation({
    summary: 'List your notifications',
    description:
      'Your notifications, newest first, and why one did not arrive. Kept for 30 days. For people who signed in with an account; an API key gets 403.',
  })
  list(@RequestCaller() caller: Caller, @Query() query: ListDeliveriesDto): Promise<DeliveryPageDto> {
    const { workspaceId, memberId: id } = personOf(caller);
    return this.deliveries.list({ workspaceId, kind: 'member', id }, query);
  }
}
