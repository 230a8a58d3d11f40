import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ReportsModule } from '../alerts/reports.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { DeliverModule } from './deliver.module.js';
import { HistoryPruner } from './log/history-pruner.js';
import { DeliveryClaimsRepository } from './queue/delivery-claims.repository.js';
import { OutboxRelay } from './relay/outbox-relay.js';
import { DeliveryMetrics } from './sender/delivery-metrics.js';
import { DeliverySender } from './sender/delivery-sender.js';
import { DestinationLoader } from './sender/destination-loader.js';
import { MemberNotifier } from './sender/member-notifier.js';
import { OutcomeRecorder } from './sender/outcome-recorder.js';
import { WebhooksModule } from './webhooks.module.js';

/** The worker role: relays events, sends deliveries and prunes their history. */
@Module({
  imports: [AlertsModule, DeliverModule, MessagesModule, ReportsModule, WebhooksModule],
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
export class DeliverWorkerModule {}
