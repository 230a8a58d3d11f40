import { Module } from '@nestjs/common';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AlertDeliveriesController } from './alert-deliveries.controller.js';
import { DestinationNames } from './destination-names.service.js';
import { MyDeliveriesController } from './my-deliveries.controller.js';
import { DestinationRetries } from './destination-retries.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { DeliveryQueueModule } from '../queue/delivery-queue.module.js';

/** The delivery log over HTTP; part of the api role. */
@Module({
  imports: [DeliveryQueueModule, AlertsModule, EventsModule, WebhooksModule],
  controllers: [WebhookDeliveriesController, AlertDeliveriesController, MyDeliveriesController],
  providers: [DeliveriesService, DestinationNames, DestinationRetries],
  exports: [DeliveryQueueModule, DestinationNames, DestinationRetries],
})
export class DeliveryLogModule {}
