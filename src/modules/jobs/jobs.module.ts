import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PluginsModule } from '../../enrichment/plugins/plugins.module.js';
import { JobEventsController } from './job-events.controller.js';
import { JobEventsService } from './job-events.service.js';
import { JobQueueModule } from './job-queue.module.js';
import { JobRunsRepository } from './job-runs.repository.js';
import { JobWorkRepository } from './job-work.repository.js';
import { Job } from './job.entity.js';
import { JobsController } from './jobs.controller.js';
import { JobsRepository } from './jobs.repository.js';
import { PluginsController } from './plugins.controller.js';
import { JobsService } from './jobs.service.js';

@Module({
  imports: [PluginsModule, JobQueueModule, TypeOrmModule.forFeature([Job])],
  controllers: [JobsController, JobEventsController, PluginsController],
  providers: [JobsService, JobEventsService, JobsRepository, JobRunsRepository, JobWorkRepository],
  exports: [PluginsModule, JobQueueModule, JobsService, JobsRepository, JobRunsRepository, JobWorkRepository],
})
export class JobsModule {}
