import { Global, Module } from '@nestjs/common';
import { DatabaseMetrics } from './metrics/database-metrics.js';
import { HttpMetrics } from './metrics/http-metrics.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { MetricsRegistry } from '../infrastructure/metrics/metrics-registry.js';
import { MetricsServer } from './metrics/metrics-server.js';
import { QueueMetrics } from './metrics/queue-metrics.js';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [MetricsRegistry, HttpMetrics, QueueMetrics, DatabaseMetrics, MetricsServer],
  exports: [MetricsRegistry, HttpMetrics],
})
export class MetricsModule {}
