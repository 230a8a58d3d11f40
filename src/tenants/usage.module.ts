import { Global, Module } from '@nestjs/common';
import { MetricsRegistry } from '../infrastructure/metrics/metrics-registry.js';
import { QuotasModule } from './quotas.module.js';
import { QuotasService } from './usage/quotas.service.js';
import { RequestCounter } from './usage/request-counter.js';
import { UsageController } from './usage/usage.controller.js';

/** Workspace usage: the operation that shows it, the request counter and the metric of refusals. */
@Global()
@Module({
  imports: [QuotasModule],
  controllers: [UsageController],
  providers: [RequestCounter],
  exports: [RequestCounter, QuotasModule],
})
export class UsageModule {
  constructor(quotas: QuotasService, metrics: MetricsRegistry) {
    metrics.registry.registerMetric(quotas.refusals);
  }
}
