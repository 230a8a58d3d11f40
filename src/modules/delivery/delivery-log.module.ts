import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DELIVERY_QUEUE } from '../../infrastructure/queue/queues.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { EventsModule } from '../events/events.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AlertDeliveriesController } from './alert-deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryQueue } from './delivery-queue.js';
import { Delivery } from './delivery.entity.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';

/** What owners see of deliveries and may ask for. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Delivery]),
    BullModule.registerQueue({ name: DELIVERY_QUEUE }),
    AlertsModule,
    EventsModule,
    WebhooksModule,
  ],
  controllers: [WebhookDeliveriesController, AlertDeliveriesController],
  providers: [DeliveriesService, DeliveriesRepository, DeliveryQueue],
  exports: [DeliveriesRepository, DeliveryQueue],
})
export class DeliveryLogModule {}
