import { OnQueueError, Process, Processor } from '@nestjs/bull';
import { Logger } from '@nestjs/common';
import { SCRAPE_QUEUE } from '../../infrastructure/queue/queues.js';
import { JobWorker } from './job-worker.js';

/**
 * Wakes the worker for every queued job. An entry names the job that became ready, but Postgres decides which job
 * starts, because workspaces take turns.
 */
@Processor(SCRAPE_QUEUE)
export class ScrapeProcessor {
  private readonly logger = new Logger(ScrapeProcessor.name);

  constructor(private readonly worker: JobWorker) {}

  @Process()
  process(): void {
    this.worker.wake();
  }

  @OnQueueError()
  onError(error: Error): void {
    this.logger.warn({ err: error }, 'queue unreachable');
  }
}
