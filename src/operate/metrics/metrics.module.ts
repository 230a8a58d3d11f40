import { Global, Module } from '@nestjs/common';
import { DatabaseMetrics } from './database-metrics.js';
import { HttpMetrics } from './http-metrics.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { MetricsServer } from './metrics-server.js';
import { QueueMetrics } from './queue-metrics.js';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [MetricsRegistry, HttpMetrics, QueueMetrics, DatabaseMetrics, MetricsServer],
  exports: [MetricsRegistry, HttpMetrics],
})
export class MetricsModule {}
