import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ArrivalsModule } from '../arrivals/arrivals.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { DatasetsRepositoryModule } from '../datasets/datasets-repository.module.js';
import { DeliveryQueueModule } from '../delivery/delivery-queue.module.js';
import { EventsModule } from '../events/events.module.js';
import { ExportJobsModule } from '../exports/export-jobs.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { JobsRepositoryModule } from '../jobs/jobs-repository.module.js';
import { MediaModule } from '../media/media.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { RemovalModule } from '../removal/removal.module.js';
import { SchedulesRepositoryModule } from '../schedules/schedules-repository.module.js';
import { ExecutionsModule } from '../scraping/executions.module.js';
import { SearchModule } from '../search/search.module.js';
import { StreamsRepositoryModule } from '../streams/streams-repository.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WorkspaceKeysModule } from '../workspace-keys/workspace-keys.module.js';
import { ErasedRows } from './erased-rows.js';
import { ErasedTraces } from './erased-traces.js';
import { ErasurePass } from './erasure-pass.js';
import { ErasureWorker } from './erasure-worker.js';
import { ErasuresModule } from './erasures.module.js';

/** Carries out erasures; part of the scheduler role, which also builds the segments of the search index. */
@Module({
  imports: [
    AlertsModule,
    ArrivalsModule,
    CommentsModule,
    DatasetsRepositoryModule,
    DeliveryQueueModule,
    ErasuresModule,
    EventsModule,
    ExecutionsModule,
    ExportJobsModule,
    IdempotencyModule,
    JobsRepositoryModule,
    MediaModule,
    PostsModule,
    RemovalModule,
    SchedulesRepositoryModule,
    SearchModule,
    StreamsRepositoryModule,
    SuppressionsModule,
    WorkspaceKeysModule,
  ],
  providers: [ErasureWorker, ErasurePass, ErasedRows, ErasedTraces],
})
export class ErasureWorkerModule {}
