import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EncryptionKeysRepository } from './encryption-keys.repository.js';
import { Reencryption } from './reencryption.js';

/** Re-encrypts stored secrets with the newest key; part of the worker role. */
@Module({
  imports: [AlertsModule, IdempotencyModule, WebhooksModule],
  providers: [EncryptionKeysRepository, Reencryption],
})
export class ReencryptionModule {}
