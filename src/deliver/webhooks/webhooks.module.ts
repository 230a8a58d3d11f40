import { Module } from '@nestjs/common';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

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
