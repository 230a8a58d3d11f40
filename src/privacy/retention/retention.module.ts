import { Module } from '@nestjs/common';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { JobsRepositoryModule } from '../../collect/jobs/jobs-repository.module.js';
import { MediaModule } from '../../content/media/media.module.js';
import { ExpiredBatches } from './expired-batches.js';
import { RetentionMetrics } from './retention-metrics.js';
import { RetentionWorker } from './retention-worker.js';
import { WorkspacesRepositoryModule } from '../../tenants/workspaces/workspaces-repository.module.js';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { DeliveryQueueModule } from '../../deliver/queue/delivery-queue.module.js';
import { ExecutionsModule } from '../../collect/scraping/executions.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { RemovalModule } from '../../collect/removal/removal.module.js';

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
