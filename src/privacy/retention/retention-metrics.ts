import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { RETAINED_KINDS, type RetainedKind } from '../../tenants/workspaces/workspace.entity.js';

/** Counts for Prometheus the rows deleted because of their age. */
@Injectable()
export class RetentionMetrics {
  private readonly deleted: Counter<'kind'>;

  constructor({ registry }: MetricsRegistry) {
    this.deleted = new Counter({
      name: 'wss_retention_deleted_total',
      help: 'Rows deleted because of the retention_days of their workspace, by kind',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of RETAINED_KINDS) this.deleted.inc({ kind }, 0);
  }

  count(kind: RetainedKind, rows: number): void {
    this.deleted.inc({ kind }, rows);
  }
}
