import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { EventsModule } from '../../events/events.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { DeliveriesRepository } from '../deliveries.repository.js';
import { DestinationQueuesRepository } from '../destination-queues.repository.js';
import { Delivery } from '../delivery.entity.js';
import { SenderWakeUp } from '../sender-wake-up.js';
import { AlertDeliveriesController } from './alert-deliveries.controller.js';
import { DestinationRetries } from './destination-retries.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';

/** The delivery log over HTTP; part of the api role. */
@Module({
  imports: [TypeOrmModule.forFeature([Delivery]), AlertsModule, EventsModule, WebhooksModule],
  controllers: [WebhookDeliveriesController, AlertDeliveriesController],
  providers: [
    DeliveriesService,
    DeliveriesRepository,
    DestinationQueuesRepository,
    DestinationRetries,
    SenderWakeUp,
  ],
  exports: [DestinationQueuesRepository, DestinationRetries],
})
export class DeliveryLogModule {}
