import { Inject, Injectable, Optional } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { MetricsRegistry } from '../infrastructure/metrics/metrics-registry.js';
import { SearchService } from './search.service.js';
import { BlockCache } from './segments/read/block-cache.js';

/** Memory that this process uses for the search index, and how much it may use. */
@Injectable()
export class SearchMetrics {
  /** Operators' commands search without metrics. */
  constructor(
    @Optional() @Inject(MetricsRegistry) metrics: MetricsRegistry | null,
    searches: SearchService,
    { limit }: BlockCache,
  ) {
    if (metrics == null) return;
    const registers = [metrics.registry];
    new Gauge({
      name: 'wss_search_index_bytes',
      help: 'Memory that the search index takes in this process',
      registers,
      collect() {
        this.set(searches.indexBytes);
      },
    });
    new Gauge({
      name: 'wss_search_index_limit_bytes',
      help: 'Memory that the search index may take in this process',
      registers,
    }).set(limit);
  }
}
