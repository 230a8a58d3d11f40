import { Module } from '@nestjs/common';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { IdempotencyModule } from '../../access/idempotency/idempotency.module.js';
import { SubscriptionsModule } from '../../deliver/subscriptions/subscriptions.module.js';
import { WebhooksModule } from '../../deliver/webhooks/webhooks.module.js';
import { WorkspaceKeysModule } from '../../tenants/workspace-keys/workspace-keys.module.js';
import { Reencryption } from './reencryption.js';
import { EncryptionModule } from '../../tenants/encryption/encryption.module.js';

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
