import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { WorkspaceKeysModule } from '../workspace-keys/workspace-keys.module.js';
import { Reencryption } from './reencryption.js';
import { EncryptionModule } from './encryption.module.js';

/** Re-encrypts stored secrets with the newest key; part of the worker role. */
@Module({
  imports: [
    AlertsModule,
    EncryptionModule,
    IdempotencyModule,
    SubscriptionsModule,
    WebhooksModule,
    WorkspaceKeysModule,
  ],
  providers: [Reencryption],
})
export class ReencryptionModule {}
