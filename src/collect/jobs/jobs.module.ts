import { Module } from '@nestjs/common';
import { PluginsModule } from '../../enrichment/plugins/plugins.module.js';
import { JobEventsController } from './job-events.controller.js';
import { JobEventsService } from './job-events.service.js';
import { JobQueueModule } from './job-queue.module.js';
import { JobMetrics } from './job-metrics.js';
import { JobProgressRepository } from './job-progress.repository.js';
import { JobRecords } from './job-records.js';
import { JobTurnsRepository } from './job-turns.repository.js';
import { JobWorkersRepository } from './job-workers.repository.js';
import { JobsController } from './jobs.controller.js';
import { PluginsController } from './plugins.controller.js';
import { JobsService } from './jobs.service.js';

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
