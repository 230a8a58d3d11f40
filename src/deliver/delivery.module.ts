import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { EventsModule } from '../messages/events.module.js';
import { SubscriptionsModule } from './subscriptions.module.js';
import { WebhooksModule } from './webhooks.module.js';
import { DeliveryMetrics } from './sender/delivery-metrics.js';
import { HistoryPruner } from './log/history-pruner.js';
import { OutboxRelay } from './relay/outbox-relay.js';
import { DeliveryClaimsRepository } from './queue/delivery-claims.repository.js';
import { DeliverySender } from './sender/delivery-sender.js';
import { DestinationLoader } from './sender/destination-loader.js';
import { MemberNotifier } from './sender/member-notifier.js';
import { OutcomeRecorder } from './sender/outcome-recorder.js';
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
