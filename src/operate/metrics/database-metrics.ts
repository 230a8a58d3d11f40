import { Injectable } from '@nestjs/common';
import { Gauge, Histogram } from 'prom-client';
import { DatabasePools } from '../../database/database-pools.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';

/** Usage of the connection pools, read on every scrape, and how long statements wait for a connection. */
@Injectable()
export class DatabaseMetrics {
  constructor(pools: DatabasePools, { registry }: MetricsRegistry) {
    new Gauge({
      name: 'wss_db_pool_in_use',
      help: 'Connections to Postgres in use by pool',
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const { pool, inUse } of pools.usage()) this.set({ pool }, inUse);
      },
    });
    new Gauge({
      name: 'wss_db_pool_waiting',
      help: 'Statements waiting for a connection to Postgres by pool',
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const { pool, waiting } of pools.usage()) this.set({ pool }, waiting);
      },
    });
    const waits = new Histogram({
      name: 'wss_db_pool_wait_seconds',
      help: 'Time that a statement or transaction waited for a connection to Postgres by pool',
      labelNames: ['pool'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    });
    pools.observeWaits((pool, seconds) => waits.observe({ pool }, seconds));
  }
}
