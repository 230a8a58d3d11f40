import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ReportsModule } from '../alerts/reports.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ServiceMailModule } from '../messages/service-mail.module.js';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { AlertDeliveriesController } from './log/alert-deliveries.controller.js';
import { DeliveriesService } from './log/deliveries.service.js';
import { DestinationNames } from './log/destination-names.service.js';
import { DestinationRetries } from './log/destination-retries.service.js';
import { MyDeliveriesController } from './log/my-deliveries.controller.js';
import { WebhookDeliveriesController } from './log/webhook-deliveries.controller.js';
import { DeliveriesRepository } from './queue/deliveries.repository.js';
import { Delivery } from './queue/delivery.entity.js';
import { DestinationQueuesRepository } from './queue/destination-queues.repository.js';
import { ErasedNotifications } from './queue/erased-notifications.js';
import { SenderWakeUp } from './queue/sender-wake-up.js';
import { AlertSubscription } from './subscriptions/alert-subscription.entity.js';
import { NotificationAddress } from './subscriptions/notification-address.entity.js';
import { NotificationAddresses } from './subscriptions/notification-addresses.js';
import { NotificationAddressesRepository } from './subscriptions/notification-addresses.repository.js';
import { NotificationLinksController } from './subscriptions/notification-links.controller.js';
import { NotificationLinks } from './subscriptions/notification-links.js';
import { NotificationSettingsController } from './subscriptions/notification-settings.controller.js';
import { NotificationSettingsService } from './subscriptions/notification-settings.service.js';
import { Subscribers } from './subscriptions/subscribers.js';
import { SubscriptionsRepository } from './subscriptions/subscriptions.repository.js';
import { WebhooksModule } from './webhooks.module.js';
import { DeliveriesOverview } from './log/deliveries-overview.js';
import { ExpiredEvents } from './queue/expired-events.js';

const EXPORTED = [
  DeliveriesRepository,
  DestinationQueuesRepository,
  DestinationNames,
  DestinationRetries,
  SenderWakeUp,
  NotificationAddresses,
  NotificationLinks,
  Subscribers,
];

/** Deliveries and their log, and which members are notified of which alerts at which addresses. */
@Module({
  imports: [
    AlertsModule,
    ApiKeysModule,
    MessagesModule,
    ReportsModule,
    ServiceMailModule,
    WebhooksModule,
    TypeOrmModule.forFeature([AlertSubscription, Delivery, NotificationAddress]),
  ],
  controllers: [
    WebhookDeliveriesController,
    AlertDeliveriesController,
    MyDeliveriesController,
    NotificationSettingsController,
    NotificationLinksController,
  ],
  providers: [
    ...EXPORTED,
    DeliveriesService,
    DeliveriesOverview,
    ErasedNotifications,
    ExpiredEvents,
    NotificationSettingsService,
    NotificationAddressesRepository,
    SubscriptionsRepository,
  ],
  exports: [...EXPORTED, NotificationAddressesRepository, SubscriptionsRepository],
})
export class DeliverModule {
  constructor(
    quotas: QuotasService,
    sealed: SealedColumns,
    stores: WorkspaceStores,
    subscriptions: SubscriptionsRepository,
    rows: NotificationAddressesRepository,
    addresses: NotificationAddresses,
  ) {
    stores.register({ kept: ['notification_addresses'] });
    sealed.register(rows, addresses);
    quotas.register('alert_subscriptions', (workspaceId, tx) => subscriptions.count(workspaceId, tx));
  }
}
