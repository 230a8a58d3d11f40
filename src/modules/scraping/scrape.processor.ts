import { Process, Processor } from '@nestjs/bull';
import type { Job as QueueEntry } from 'bull';
import { SCRAPE_QUEUE, type ScrapePayload } from '../../infrastructure/queue/queues.js';
import { ScrapeRunner } from './scrape-runner.js';

/** Jobs one worker process runs at a time. */
const CONCURRENCY = 6;

@Processor(SCRAPE_QUEUE)
export class ScrapeProcessor {
  constructor(private readonly runner: ScrapeRunner) {}

  @Process({ concurrency: CONCURRENCY })
  process(entry: QueueEntry<ScrapePayload>): Promise<void> {
    return this.runner.run(entry.data.workspaceId, entry.data.jobId);
  }
}
