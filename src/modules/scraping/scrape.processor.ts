import { OnQueueError, Process, Processor } from '@nestjs/bull';
import { Logger } from '@nestjs/common';
import type { Job as QueueEntry } from 'bull';
import { SCRAPE_QUEUE, type ScrapePayload } from '../../infrastructure/queue/queues.js';
import { ScrapeReconciler } from './scrape-reconciler.js';
import { ScrapeRunner } from './scrape-runner.js';

/** Jobs one worker process runs at a time, large and small. */
const CONCURRENCY = 10;

@Processor(SCRAPE_QUEUE)
export class ScrapeProcessor {
  private readonly logger = new Logger(ScrapeProcessor.name);

  constructor(
    private readonly runner: ScrapeRunner,
    private readonly reconciler: ScrapeReconciler,
  ) {}

  @Process({ concurrency: CONCURRENCY })
  async process(entry: QueueEntry<ScrapePayload>): Promise<void> {
    const hasRun = await this.runner.run(entry.data.workspaceId, entry.data.jobId);
    // A free slot may be what a waiting job needs.
    if (hasRun) await this.reconciler.reconcile();
  }

  @OnQueueError()
  onError(error: Error): void {
    this.logger.warn({ msg: 'queue unreachable', error: error.message });
  }
}
