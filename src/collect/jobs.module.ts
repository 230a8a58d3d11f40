import { Module } from '@nestjs/common';
import { PluginsModule } from '../enrichment/plugins/plugins.module.js';
import { JobEventsController } from './jobs/job-events.controller.js';
import { JobEventsService } from './jobs/job-events.service.js';
import { JobQueueModule } from './job-queue.module.js';
import { JobMetrics } from './jobs/job-metrics.js';
import { JobProgressRepository } from './jobs/job-progress.repository.js';
import { JobRecords } from './jobs/job-records.js';
import { JobTurnsRepository } from './jobs/job-turns.repository.js';
import { JobWorkersRepository } from './jobs/job-workers.repository.js';
import { JobsController } from './jobs/jobs.controller.js';
import { PluginsController } from './jobs/plugins.controller.js';
import { JobsService } from './jobs/jobs.service.js';

@Module({
  imports: [PluginsModule, JobQueueModule],
  controllers: [JobsController, JobEventsController, PluginsController],
  providers: [
    JobsService,
    JobRecords,
    JobEventsService,
    JobProgressRepository,
    JobTurnsRepository,
    JobWorkersRepository,
    JobMetrics,
  ],
  exports: [
    PluginsModule,
    JobQueueModule,
    JobsService,
    JobProgressRepository,
    JobTurnsRepository,
    JobWorkersRepository,
    JobMetrics,
  ],
})
export class JobsModule {}
