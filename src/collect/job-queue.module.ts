import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, SCRAPE_QUEUE } from '../infrastructure/queue/queues.js';
import { CollectModule } from './collect.module.js';
import { JobQueue } from './jobs/job-queue.js';

/**
 * Registers the scrape queue. Register it only here: if a queue is registered twice, the settings of the last
 * registration apply.
 */
@Module({
  imports: [CollectModule, BullModule.registerQueue({ name: SCRAPE_QUEUE, settings: QUEUE_SETTINGS })],
  providers: [JobQueue],
  exports: [JobQueue, BullModule, CollectModule],
})
export class JobQueueModule {}
