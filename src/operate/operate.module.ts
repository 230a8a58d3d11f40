import { Global, Module } from '@nestjs/common';
import { MetricsRegistry } from '../infrastructure/metrics/metrics-registry.js';
import { HealthController } from './health/health.controller.js';
import { DatabaseMetrics } from './metrics/database-metrics.js';
import { HttpMetrics } from './metrics/http-metrics.js';
import { MetricsServer } from './metrics/metrics-server.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { QueueMetrics } from './metrics/queue-metrics.js';

/** Health and metrics of every process of the service. */
@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [MetricsRegistry, HttpMetrics, QueueMetrics, DatabaseMetrics, MetricsServer],
  exports: [MetricsRegistry, HttpMetrics],
})
export class OperateModule {}
