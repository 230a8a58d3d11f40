import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import { withTimeout } from '../../common/timeout.js';
import { QUEUE_PREFIX, SCRAPE_QUEUE } from '../../infrastructure/queue/queues.js';
import { REDIS } from '../../infrastructure/queue/redis.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';

const ANSWER_WITHIN_MS = 500;
/** Bull's list of entries in each state, and the command that counts it in constant time. */
const STATES = [
  ['waiting', 'wait', 'llen'],
  ['active', 'active', 'llen'],
  ['delayed', 'delayed', 'zcard'],
] as const;

/** Entries in the queue by state, read from Redis on every scrape; absent while Redis is unavailable. */
@Injectable()
export class QueueMetrics {
  constructor(@Inject(REDIS) redis: Redis, registry: MetricsRegistry) {
    new Gauge({
      name: 'wss_queue_entries',
      help: 'Entries in a queue by state',
      labelNames: ['queue', 'state'],
      registers: [registry.registry],
      async collect() {
        this.reset();
        const commands = STATES.map(([, list, command]) => [
          command,
          `${QUEUE_PREFIX}:${SCRAPE_QUEUE}:${list}`,
        ]);
        const counts = await withTimeout(
          redis.pipeline(commands).exec(),
          ANSWER_WITHIN_MS,
          'Redis did not answer in time',
        ).catch(() => null);
        counts?.forEach(([error, count], index) => {
          if (error === null) this.set({ queue: SCRAPE_QUEUE, state: STATES[index]![0] }, Number(count));
        });
      },
    });
  }
}
