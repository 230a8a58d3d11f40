import { Module } from '@nestjs/common';
import { EventsModule } from '../messages/events.module.js';
import { JobsRepositoryModule } from '../collect/jobs-repository.module.js';
import { MediaModule } from '../content/media.module.js';
import { ExpiredBatches } from './retention/expired-batches.js';
import { RetentionMetrics } from './retention/retention-metrics.js';
import { RetentionWorker } from './retention/retention-worker.js';
import { WorkspacesRepositoryModule } from '../tenants/workspaces-repository.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { DeliveryQueueModule } from '../deliver/delivery-queue.module.js';
import { ExecutionsModule } from '../collect/executions.module.js';
import { PostsModule } from '../content/posts.module.js';
import { RemovalModule } from '../collect/removal.module.js';

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
