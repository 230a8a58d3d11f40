import { Global, Module } from '@nestjs/common';
import { MetricsRegistry } from '../infrastructure/metrics/metrics-registry.js';
import { EncryptionKeyCheck } from './encryption/encryption-key-check.js';
import { QuotasService } from './usage/quotas.service.js';
import { RequestCounter } from './usage/request-counter.js';
import { UsageController } from './usage/usage.controller.js';

/** Counts requests and checks the encryption keys; in every process of the service, but not in commands. */
@Global()
@Module({
  controllers: [UsageController],
  providers: [RequestCounter, EncryptionKeyCheck],
  exports: [RequestCounter],
})
export class UsageModule {
  constructor(quotas: QuotasService, metrics: MetricsRegistry) {
    metrics.registry.registerMetric(quotas.refusals);
  }
}
