import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { withTimeout } from '../../common/timeout.js';
import { QUEUE_ENTRY_OPTIONS, SCRAPE_QUEUE, type ScrapePayload } from '../../infrastructure/queue/queues.js';

/** Bull waits for ever while Redis is away; a caller must not. */
const ENQUEUE_TIMEOUT_MS = 2_000;

@Injectable()
export class JobQueue {
  private readonly logger = new Logger(JobQueue.name);

  constructor(@InjectQueue(SCRAPE_QUEUE) private readonly queue: Queue<ScrapePayload>) {}

  /**
   * Tells the workers about a pending job. A failure is only logged: the row in Postgres is the truth, and the
   * reconciler enqueues what the queue has lost. An entry of the same `entryId` that is still queued stays the only one.
   * False when the queue is away.
   */
  async enqueue(workspaceId: string, jobId: string, entryId = jobId): Promise<boolean> {
    try {
      await withTimeout(
        this.queue.add({ workspaceId, jobId }, { ...QUEUE_ENTRY_OPTIONS, jobId: entryId }),
        ENQUEUE_TIMEOUT_MS,
        'Queue did not answer in time',
      );
      return true;
    } catch (error) {
      this.logger.warn({ err: error, jobId, workspaceId }, 'job not enqueued; the reconciler will');
      return false;
    }
  }
}
