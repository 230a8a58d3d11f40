import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { GONE_REASONS, type GoneReason } from '../../platforms/platform.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import type { RecheckKey } from './content-rechecks.repository.js';

/** Counts rechecked and overwritten content for Prometheus. */
@Injectable()
export class RecheckMetrics {
  private readonly checked: Counter<'source' | 'kind'>;
  private readonly purged: Counter<'source' | 'kind' | 'reason'>;

  constructor({ registry }: MetricsRegistry) {
    this.checked = new Counter({
      name: 'wss_content_rechecked_total',
      help: 'Stored posts, comments and threads that were rechecked on the platform',
      labelNames: ['source', 'kind'],
      registers: [registry],
    });
    this.purged = new Counter({
      name: 'wss_content_purged_total',
      help: 'Stored posts and comments that were overwritten because the platform no longer shows them, by reason',
      labelNames: ['source', 'kind', 'reason'],
      registers: [registry],
    });
  }

  count({ source, kind }: RecheckKey, checked: number, gone: Readonly<Record<GoneReason, number>>): void {
    this.checked.inc({ source, kind }, checked);
    for (const reason of GONE_REASONS)
      if (gone[reason] > 0) this.purged.inc({ source, kind, reason }, gone[reason]);
  }
}
