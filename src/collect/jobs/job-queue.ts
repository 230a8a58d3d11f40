import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import { withTimeout } from '../../common/timeout.js';
import { QUEUE_ENTRY_OPTIONS, SCRAPE_QUEUE, type ScrapePayload } from '../../infrastructure/queue/queues.js';
import { WorkspaceStores } from '../../tenants/ports/workspace-stores.js';

/** Timeout of adding an entry; Bull itself waits without a limit while Redis is unavailable. */
const ENQUEUE_TIMEOUT_MS = 2_000;
const REMOVAL_TIMEOUT_MS = 30_000;
/** Bound on removed entries. Queues stay short, because workers take every entry at once, even without a free slot. */
const MAX_REMOVED = 10_000;

/** Wakes workers when a job is pending. */
@Injectable()
export class JobQueue {
  private readonly logger = new Logger(JobQueue.name);

  constructor(
    @InjectQueue(SCRAPE_QUEUE) private readonly queue: Queue<ScrapePayload>,
    stores: WorkspaceStores,
  ) {
    stores.register({ empty: this.removeAll.bind(this) });
  }

  /**
   * Wakes a worker for a pending job. A failure is only logged, because workers also poll Postgres every second.
   * Resolves to false when the queue is unavailable.
   */
  async enqueue(workspaceId: string, jobId: string): Promise<boolean> {
    try {
      await withTimeout(
        this.queue.add({ workspaceId, jobId }, { ...QUEUE_ENTRY_OPTIONS, jobId }),
        ENQUEUE_TIMEOUT_MS,
        'Queue did not answer in time',
      );
      return true;
    } catch (error) {
      this.logger.warn({ err: error, jobId, workspaceId }, 'job not enqueued');
      return false;
    }
  }

  /** Removes the waiting entries of a workspace. Throws when the queue is unavailable. */
  async removeAll(workspaceId: string): Promise<void> {
    const remove = async () => {
      const entries = await this.queue.getJobs(['waiting', 'delayed'], 0, MAX_REMOVED);
      await Promise.all(
        entries.filter((entry) => entry?.data.workspaceId === workspaceId).map((entry) => entry.remove()),
      );
    };
    await withTimeout(remove(), REMOVAL_TIMEOUT_MS, 'Queue did not answer in time');
  }
}
