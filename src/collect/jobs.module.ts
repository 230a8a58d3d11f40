import { Module } from '@nestjs/common';
import { AlertMatchingModule } from '../alerts/alert-matching.module.js';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { PostsModule } from '../content/posts.module.js';
import { PluginRegistry } from '../enrichment/plugins/plugin-registry.js';
import { PlatformModule } from '../platforms/platform.module.js';
import { JobQueueModule } from './job-queue.module.js';
import { JobEventsController } from './jobs/job-events.controller.js';
import { JobEventsService } from './jobs/job-events.service.js';
import { JobMetrics } from './jobs/job-metrics.js';
import { JobProgressRepository } from './jobs/job-progress.repository.js';
import { JobRecords } from './jobs/job-records.js';
import { JobTurnsRepository } from './jobs/job-turns.repository.js';
import { JobWorkersRepository } from './jobs/job-workers.repository.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsService } from './jobs/jobs.service.js';
import { PluginsController } from './jobs/plugins.controller.js';
import { JobPostsController } from './scraping/job-posts.controller.js';
import { JobRetries } from './scraping/job-retries.js';
import { JobLogController } from './scraping/log/job-log.controller.js';
import { SourcesController } from './sources/sources.controller.js';
import { ListeningController } from './listening/listening.controller.js';
import { SourcesService } from './sources/sources.service.js';
import { JobsOverview } from './scraping/jobs-overview.js';
import { PendingJobs } from './jobs/pending-jobs.js';

const EXPORTED = [
  JobsService,
  JobProgressRepository,
  JobTurnsRepository,
  JobWorkersRepository,
  JobMetrics,
  JobRetries,
  PendingJobs,
];

/** Jobs with their logs, posts, plugins and sources. */
@Module({
  imports: [AlertMatchingModule, JobQueueModule, PlatformModule, PostsModule],
  controllers: [
    JobsController,
    JobEventsController,
    JobLogController,
    JobPostsController,
    PluginsController,
    ListeningController,
    SourcesController,
  ],
  providers: [
    ...EXPORTED,
    JobRecords,
    JobEventsService,
    JobsOverview,
    SourcesService,
    {
      provide: PluginRegistry,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => PluginRegistry.load(environment.PLUGINS_DIR),
    },
  ],
  exports: [...EXPORTED, PluginRegistry, JobQueueModule, PlatformModule],
})
export class JobsModule {}
