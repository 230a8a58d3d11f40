import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import { withTimeout } from '../../common/timeout.js';
import { QUEUE_PREFIX, SCRAPE_QUEUE } from '../../infrastructure/queue/queues.js';
import { REDIS } from '../../infrastructure/queue/redis.module.js';
import { MetricsRegistry } from './metrics-registry.js';

const ANSWER_WITHIN_MS = 500;
const QUEUES = [SCRAPE_QUEUE];
/** Where Bull keeps entries in each state, and the command that counts them in constant time. */
const STATES = [
  ['waiting', 'wait', 'llen'],
  ['active', 'active', 'llen'],
  ['delayed', 'delayed', 'zcard'],
] as const;

/** How much lies in the queues, asked when somebody looks. While Redis is away the figures are left out. */
@Injectable()
export class QueueMetrics {
  constructor(@Inject(REDIS) redis: Redis, registry: MetricsRegistry) {
    new Gauge({
      name: 'queue_entries',
      help: 'Entries in a queue by state',
      labelNames: ['queue', 'state'],
      registers: [registry.registry],
      async collect() {
        this.reset();
        const places = QUEUES.flatMap((queue) => STATES.map((state) => ({ queue, state })));
        const commands = places.map(({ queue, state: [, list, command] }) => [
          command,
          `${QUEUE_PREFIX}:${queue}:${list}`,
        ]);
        const counts = await withTimeout(
          redis.pipeline(commands).exec(),
          ANSWER_WITHIN_MS,
          'Redis did not answer in time',
        ).catch(() => null);
        counts?.forEach(([error, count], index) => {
          const { queue, state } = places[index]!;
          if (error === null) this.set({ queue, state: state[0] }, Number(count));
        });
      },
    });
  }
}
