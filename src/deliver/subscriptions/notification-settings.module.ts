import { Module } from '@nestjs/common';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { ApiKeysModule } from '../../access/api-keys/api-keys.module.js';
import { ServiceMailModule } from '../../messages/channels/service-mail.module.js';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { NotificationLinksController } from './notification-links.controller.js';
import { NotificationSettingsController } from './notification-settings.controller.js';
import { NotificationSettingsService } from './notification-settings.service.js';
import { SubscriptionsModule } from './subscriptions.module.js';

/** Notification settings over HTTP; part of the api role. */
@Module({
  imports: [AlertsModule, ApiKeysModule, QuotasModule, ServiceMailModule, SubscriptionsModule],
  controllers: [NotificationSettingsController, NotificationLinksController],
  providers: [NotificationSettingsService],
})
export class NotificationSettingsModule {}
