import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { QuotasModule } from '../tenants/quotas.module.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { PortsModule } from '../tenants/ports.module.js';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { AlertSubscription } from './subscriptions/alert-subscription.entity.js';
import { NotificationAddress } from './subscriptions/notification-address.entity.js';
import { NotificationAddresses } from './subscriptions/notification-addresses.js';
import { NotificationAddressesRepository } from './subscriptions/notification-addresses.repository.js';
import { NotificationLinks } from './subscriptions/notification-links.js';
import { Subscribers } from './subscriptions/subscribers.js';
import { SubscriptionsRepository } from './subscriptions/subscriptions.repository.js';

const PROVIDERS = [
  SubscriptionsRepository,
  NotificationAddressesRepository,
  NotificationAddresses,
  NotificationLinks,
  Subscribers,
];

/** Which members are notified of which alerts, and at which addresses. */
@Module({
  imports: [
    ApiKeysModule,
    PortsModule,
    QuotasModule,
    TypeOrmModule.forFeature([AlertSubscription, NotificationAddress]),
  ],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class SubscriptionsModule {
  constructor(
    quotas: QuotasService,
    subscriptions: SubscriptionsRepository,
    sealed: SealedColumns,
    rows: NotificationAddressesRepository,
    addresses: NotificationAddresses,
  ) {
    sealed.register(rows, addresses);
    quotas.register('alert_subscriptions', (workspaceId, tx) => subscriptions.count(workspaceId, tx));
  }
}
