import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { ServiceMailModule } from '../messages/service-mail.module.js';
import { QuotasModule } from '../tenants/quotas.module.js';
import { NotificationLinksController } from './subscriptions/notification-links.controller.js';
import { NotificationSettingsController } from './subscriptions/notification-settings.controller.js';
import { NotificationSettingsService } from './subscriptions/notification-settings.service.js';
import { SubscriptionsModule } from './subscriptions.module.js';

/** Notification settings over HTTP; part of the api role. */
@Module({
  imports: [AlertsModule, ApiKeysModule, QuotasModule, ServiceMailModule, SubscriptionsModule],
  controllers: [NotificationSettingsController, NotificationLinksController],
  providers: [NotificationSettingsService],
})
export class NotificationSettingsModule {}
