import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseClock, PostgresClock } from '../../database/database-clock.js';
import { ExpiredCommentsRepository } from '../comments/expired-comments.repository.js';
import { DeliveriesRepository } from '../delivery/deliveries.repository.js';
import { Delivery } from '../delivery/delivery.entity.js';
import { EventsModule } from '../events/events.module.js';
import { JobsRepositoryModule } from '../jobs/jobs-repository.module.js';
import { MediaModule } from '../media/media.module.js';
import { ExpiredPostsRepository } from '../posts/expired-posts.repository.js';
import { JobLogRepository } from '../scraping/log/job-log.repository.js';
import { WorkListRepository } from '../scraping/work-list.repository.js';
import { WorkspacesRepository } from '../workspaces/workspaces.repository.js';
import { ExpiredBatches } from './expired-batches.js';
import { RetentionMetrics } from './retention-metrics.js';
import { RetentionWorker } from './retention-worker.js';

/** Deletes data older than its workspace's `retention_days`; part of the scheduler role. */
@Module({
  imports: [TypeOrmModule.forFeature([Delivery]), EventsModule, JobsRepositoryModule, MediaModule],
  providers: [
    RetentionWorker,
    ExpiredBatches,
    RetentionMetrics,
    ExpiredPostsRepository,
    ExpiredCommentsRepository,
    DeliveriesRepository,
    JobLogRepository,
    WorkListRepository,
    WorkspacesRepository,
    { provide: DatabaseClock, useClass: PostgresClock },
  ],
})
export class RetentionModule {}
