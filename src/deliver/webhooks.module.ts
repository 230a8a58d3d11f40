import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { WebhookSecrets } from './webhooks/webhook-secrets.js';
import { Webhook } from './webhooks/webhook.entity.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksRepository } from './webhooks/webhooks.repository.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Webhook])],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhooksRepository, WebhookSecrets],
  exports: [WebhooksService, WebhooksRepository, WebhookSecrets],
})
export class WebhooksModule {
  constructor(
    quotas: QuotasService,
    sealed: SealedColumns,
    webhooksRepository: WebhooksRepository,
    secrets: WebhookSecrets,
  ) {
    quotas.register('webhooks', (workspaceId, tx) => webhooksRepository.count(workspaceId, tx));
    sealed.register(webhooksRepository, secrets);
  }
}
