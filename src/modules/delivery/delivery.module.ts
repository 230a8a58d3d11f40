import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { EventsModule } from '../events/events.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { DeliveryClaimsRepository } from './delivery-claims.repository.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { DeliveryLogModule } from './delivery-log.module.js';
import { DeliveryProcessor } from './delivery.processor.js';
import { Destinations } from './destinations.js';
import { HistoryPruner } from './history-pruner.js';
import { OutboxRelay } from './outbox-relay.js';
import { OutcomeRecorder } from './outcome-recorder.js';

/** Brings events to where they are wanted. */
@Module({
  imports: [DeliveryLogModule, AlertsModule, EventsModule, WebhooksModule],
  providers: [
    OutboxRelay,
    DeliveryDispatcher,
    DeliveryProcessor,
    DeliveryClaimsRepository,
    Destinations,
    OutcomeRecorder,
    HistoryPruner,
  ],
})
export class DeliveryModule {}
