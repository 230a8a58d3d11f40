import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { EventsModule } from '../messages/events.module.js';
import { WebhooksModule } from './webhooks.module.js';
import { AlertDeliveriesController } from './log/alert-deliveries.controller.js';
import { DestinationNames } from './log/destination-names.service.js';
import { MyDeliveriesController } from './log/my-deliveries.controller.js';
import { DestinationRetries } from './log/destination-retries.service.js';
import { DeliveriesService } from './log/deliveries.service.js';
import { WebhookDeliveriesController } from './log/webhook-deliveries.controller.js';
import { DeliveryQueueModule } from './delivery-queue.module.js';

/** The delivery log over HTTP; part of the api role. */
@Module({
  imports: [DeliveryQueueModule, AlertsModule, EventsModule, WebhooksModule],
  controllers: [WebhookDeliveriesController, AlertDeliveriesController, MyDeliveriesController],
  providers: [DeliveriesService, DestinationNames, DestinationRetries],
  exports: [DeliveryQueueModule, DestinationNames, DestinationRetries],
})
export class DeliveryLogModule {}
