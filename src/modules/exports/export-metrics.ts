import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../metrics/metrics-registry.js';
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
    // A series that begins with its first failure has no increase that an alert could notice.
    for (const status of ['completed', 'failed', 'cancelled'] as const) this.ended.inc({ status }, 0);
  }

  count(status: Extract<ExportStatus, 'completed' | 'failed' | 'cancelled'>): void {
    this.ended.inc({ status });
  }
}
