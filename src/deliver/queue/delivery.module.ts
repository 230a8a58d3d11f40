import { Module } from '@nestjs/common';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { HistoryPruner } from '../log/history-pruner.js';
import { OutboxRelay } from '../relay/outbox-relay.js';
import { DeliveryClaimsRepository } from '../sender/delivery-claims.repository.js';
import { DeliverySender } from '../sender/delivery-sender.js';
import { DestinationLoader } from '../sender/destination-loader.js';
import { MemberNotifier } from '../sender/member-notifier.js';
import { OutcomeRecorder } from '../sender/outcome-recorder.js';
import { DeliveryQueueModule } from './delivery-queue.module.js';

/** Relays events, sends deliveries and prunes their history; part of the worker role. */
@Module({
  imports: [DeliveryQueueModule, AlertsModule, EventsModule, SubscriptionsModule, WebhooksModule],
  providers: [
    DeliveryMetrics,
    OutboxRelay,
    DeliverySender,
    DeliveryClaimsRepository,
    DestinationLoader,
    MemberNotifier,
    OutcomeRecorder,
    HistoryPruner,
  ],
})
export class DeliveryModule {}
