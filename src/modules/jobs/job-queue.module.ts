import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, SCRAPE_QUEUE } from '../../infrastructure/queue/queues.js';
import { QuotasModule } from '../usage/quotas.module.js';
import { PendingJobs } from './pending-jobs.js';
import { JobQueue } from './job-queue.js';

/**
 * Registers the scrape queue. Register it only here: if a queue is registered twice, the settings of the last
 * registration apply.
 */
@Module({
  imports: [QuotasModule, BullModule.registerQueue({ name: SCRAPE_QUEUE, settings: QUEUE_SETTINGS })],
  providers: [JobQueue, PendingJobs],
  exports: [JobQueue, BullModule, QuotasModule],
})
export class JobQueueModule {}
