import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { IdempotencyModule } from '../access/idempotency.module.js';
import { SubscriptionsModule } from '../deliver/subscriptions.module.js';
import { WebhooksModule } from '../deliver/webhooks.module.js';
import { PortsModule } from '../tenants/ports.module.js';
import { WorkspaceKeysModule } from '../tenants/workspace-keys.module.js';
import { Reencryption } from './reencryption/reencryption.js';
import { EncryptionModule } from '../tenants/encryption.module.js';

/** Re-encrypts stored secrets with the newest key; part of the worker role. */
@Module({
  imports: [
    AlertsModule,
    EncryptionModule,
    IdempotencyModule,
    PortsModule,
    SubscriptionsModule,
    WebhooksModule,
    WorkspaceKeysModule,
  ],
  providers: [Reencryption],
})
export class ReencryptionModule {}
