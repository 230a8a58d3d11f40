import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { ArrivalsModule } from '../content/arrivals.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { DatasetsRepositoryModule } from '../takeout/datasets-repository.module.js';
import { DeliveryQueueModule } from '../deliver/delivery-queue.module.js';
import { EventsModule } from '../messages/events.module.js';
import { ExportJobsModule } from '../takeout/export-jobs.module.js';
import { IdempotencyModule } from '../access/idempotency.module.js';
import { JobsRepositoryModule } from '../collect/jobs-repository.module.js';
import { MediaModule } from '../content/media.module.js';
import { PostsModule } from '../content/posts.module.js';
import { RemovalModule } from '../collect/removal.module.js';
import { SchedulesRepositoryModule } from '../collect/schedules-repository.module.js';
import { ExecutionsModule } from '../collect/executions.module.js';
import { SearchModule } from '../search/search.module.js';
import { StreamsRepositoryModule } from '../collect/streams-repository.module.js';
import { SuppressionsModule } from '../content/suppressions.module.js';
import { WorkspaceKeysModule } from '../tenants/workspace-keys.module.js';
import { ErasedRows } from './erasures/erased-rows.js';
import { ErasedTraces } from './erasures/erased-traces.js';
import { ErasurePass } from './erasures/erasure-pass.js';
import { ErasureWorker } from './erasures/erasure-worker.js';
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
