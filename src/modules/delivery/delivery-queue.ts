import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { withTimeout } from '../../common/timeout.js';
import {
  DELIVERY_QUEUE,
  type DeliveryPayload,
  QUEUE_ENTRY_OPTIONS,
} from '../../infrastructure/queue/queues.js';

/** Bull waits for ever while Redis is away; a caller must not. */
const ENQUEUE_TIMEOUT_MS = 1_000;

@Injectable()
export class DeliveryQueue {
  private readonly logger = new Logger(DeliveryQueue.name);

  constructor(@InjectQueue(DELIVERY_QUEUE) private readonly queue: Queue<DeliveryPayload>) {}

  /**
   * Tells the workers that deliveries are due. A failure is only logged: the rows in Postgres are the truth, and the
   * workers' pollers find them within a second.
   */
  async announce(payloads: readonly DeliveryPayload[]): Promise<void> {
    if (payloads.length === 0) return;
    try {
      await withTimeout(
        this.queue.addBulk(
          payloads.map((data) => ({ data, opts: { ...QUEUE_ENTRY_OPTIONS, jobId: data.deliveryId } })),
        ),
        ENQUEUE_TIMEOUT_MS,
        'Queue did not answer in time',
      );
    } catch (error) {
      this.logger.warn({ err: error, deliveries: payloads.length }, 'deliveries not announced; pollers will');
    }
  }
}
