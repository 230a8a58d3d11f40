import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DatabasePools } from '../../database/database-pools.js';
import { MetricsRegistry } from './metrics-registry.js';

/** Use of the connection pools, read when the metrics are. */
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
      help: 'Statements that wait for a connection to Postgres by pool',
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const { pool, waiting } of pools.usage()) this.set({ pool }, waiting);
      },
    });
  }
}
