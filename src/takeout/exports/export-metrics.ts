import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import type { ExportStatus } from './export-job.entity.js';

/** Counts ended exports for Prometheus. */
@Injectable()
export class ExportMetrics {
  private readonly ended: Counter<'status'>;

  constructor({ registry }: MetricsRegistry) {
    this.ended = new Counter({
      name: 'wss_exports_total',
      help: 'Exports that ended, by status',
      labelNames: ['status'],
      registers: [registry],
    });
    // Start each series at 0: if it started with its first failure, an alert could not detect the increase.
    for (const status of ['completed', 'failed', 'cancelled'] as const) this.ended.inc({ status }, 0);
  }

  count(status: Extract<ExportStatus, 'completed' | 'failed' | 'cancelled'>): void {
    this.ended.inc({ status });
  }
}
