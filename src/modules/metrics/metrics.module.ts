import { Global, Module } from '@nestjs/common';
import { HttpMetrics } from './http-metrics.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRegistry } from './metrics-registry.js';
import { QueueMetrics } from './queue-metrics.js';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [MetricsRegistry, HttpMetrics, QueueMetrics],
  exports: [MetricsRegistry, HttpMetrics],
})
export class MetricsModule {}
