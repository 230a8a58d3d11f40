import { Module } from '@nestjs/common';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { ArrivalsModule } from '../../content/arrivals/arrivals.module.js';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { DatasetsRepositoryModule } from '../../takeout/datasets/datasets-repository.module.js';
import { DeliveryQueueModule } from '../../deliver/queue/delivery-queue.module.js';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { ExportJobsModule } from '../../takeout/exports/export-jobs.module.js';
import { IdempotencyModule } from '../../access/idempotency/idempotency.module.js';
import { JobsRepositoryModule } from '../../collect/jobs/jobs-repository.module.js';
import { MediaModule } from '../../content/media/media.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { RemovalModule } from '../../collect/removal/removal.module.js';
import { SchedulesRepositoryModule } from '../../collect/schedules/schedules-repository.module.js';
import { ExecutionsModule } from '../../collect/scraping/executions.module.js';
import { SearchModule } from '../../search/search.module.js';
import { StreamsRepositoryModule } from '../../collect/streams/streams-repository.module.js';
import { SuppressionsModule } from '../../content/suppressions/suppressions.module.js';
import { WorkspaceKeysModule } from '../../tenants/workspace-keys/workspace-keys.module.js';
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
