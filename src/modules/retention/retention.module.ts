import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { JobsRepositoryModule } from '../jobs/jobs-repository.module.js';
import { MediaModule } from '../media/media.module.js';
import { ExpiredBatches } from './expired-batches.js';
import { RetentionMetrics } from './retention-metrics.js';
import { RetentionWorker } from './retention-worker.js';
import { WorkspacesRepositoryModule } from '../workspaces/workspaces-repository.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { DeliveryQueueModule } from '../delivery/delivery-queue.module.js';
import { ExecutionsModule } from '../scraping/executions.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { RemovalModule } from '../removal/removal.module.js';

/** Deletes data older than its workspace's `retention_days`; part of the scheduler role. */
@Module({
  imports: [
    CommentsModule,
    DeliveryQueueModule,
    EventsModule,
    ExecutionsModule,
    JobsRepositoryModule,
    RemovalModule,
    MediaModule,
    PostsModule,
    WorkspacesRepositoryModule,
  ],
  providers: [RetentionWorker, ExpiredBatches, RetentionMetrics],
})
export class RetentionModule {}
