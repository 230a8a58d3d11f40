import { Module } from '@nestjs/common';
import { QuotasModule } from '../tenants/quotas.module.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookSecrets } from './webhooks/webhook-secrets.js';
import { Webhook } from './webhooks/webhook.entity.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksRepository } from './webhooks/webhooks.repository.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

@Module({
  imports: [QuotasModule, TypeOrmModule.forFeature([Webhook])],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhooksRepository, WebhookSecrets],
  exports: [WebhooksService, WebhooksRepository, WebhookSecrets],
})
export class WebhooksModule {
  constructor(quotas: QuotasService, webhooksRepository: WebhooksRepository) {
    quotas.register('webhooks', (workspaceId, tx) => webhooksRepository.count(workspaceId, tx));
  }
}
