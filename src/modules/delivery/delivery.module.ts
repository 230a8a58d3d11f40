import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../alerts/alerts.module.js';
import { EventsModule } from '../events/events.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { Delivery } from './delivery.entity.js';
import { DestinationQueuesRepository } from './destination-queues.repository.js';
import { HistoryPruner } from './log/history-pruner.js';
import { OutboxRelay } from './relay/outbox-relay.js';
import { DeliveryClaimsRepository } from './sender/delivery-claims.repository.js';
import { DeliverySender } from './sender/delivery-sender.js';
import { DestinationLoader } from './sender/destination-loader.js';
import { OutcomeRecorder } from './sender/outcome-recorder.js';
import { SenderWakeUp } from './sender-wake-up.js';

/** Relays events, sends deliveries and prunes their history; part of the worker role. */
@Module({
  imports: [TypeOrmModule.forFeature([Delivery]), AlertsModule, EventsModule, WebhooksModule],
  providers: [
    DeliveryMetrics,
    OutboxRelay,
    DeliverySender,
    DeliveriesRepository,
    DestinationQueuesRepository,
    DeliveryClaimsRepository,
    DestinationLoader,
    OutcomeRecorder,
    HistoryPruner,
    SenderWakeUp,
  ],
})
export class DeliveryModule {}
