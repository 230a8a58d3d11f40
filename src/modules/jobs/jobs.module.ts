import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PluginsModule } from '../../enrichment/plugins/plugins.module.js';
import { QUEUE_SETTINGS, SCRAPE_QUEUE } from '../../infrastructure/queue/queues.js';
import { JobEventsController } from './job-events.controller.js';
import { JobEventsService } from './job-events.service.js';
import { JobQueue } from './job-queue.js';
import { JobRunsRepository } from './job-runs.repository.js';
import { JobWorkRepository } from './job-work.repository.js';
import { Job } from './job.entity.js';
import { JobsController } from './jobs.controller.js';
import { JobsRepository } from './jobs.repository.js';
import { PluginsController } from './plugins.controller.js';
import { JobsService } from './jobs.service.js';

@Module({
  imports: [
    PluginsModule,
    TypeOrmModule.forFeature([Job]),
    BullModule.registerQueue({ name: SCRAPE_QUEUE, settings: QUEUE_SETTINGS }),
  ],
  controllers: [JobsController, JobEventsController, PluginsController],
  providers: [JobsService, JobEventsService, JobsRepository, JobRunsRepository, JobWorkRepository, JobQueue],
  exports: [PluginsModule, JobsService, JobsRepository, JobRunsRepository, JobWorkRepository, JobQueue],
})
export class JobsModule {}
