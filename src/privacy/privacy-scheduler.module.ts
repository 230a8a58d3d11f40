import { Module } from '@nestjs/common';
import { AccessHttpModule } from '../access/access-http.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CollectModule } from '../collect/collect.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { ContentModule } from '../content/content.module.js';
import { PostsModule } from '../content/posts.module.js';
import { DeliverModule } from '../deliver/deliver.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SearchModule } from '../search/search.module.js';
import { DatasetsRepositoryModule } from '../takeout/datasets-repository.module.js';
import { ExportJobsModule } from '../takeout/export-jobs.module.js';
import { ErasedRows } from './erasures/erased-rows.js';
import { RowsToErase } from './erasures/rows-to-erase.js';
import { ErasurePass } from './erasures/erasure-pass.js';
import { ErasureWorker } from './erasures/erasure-worker.js';
import { PrivacyModule } from './privacy.module.js';
import { RetentionMetrics } from './retention/retention-metrics.js';
import { RetentionWorker } from './retention/retention-worker.js';

/**
 * The scheduler role: carries out erasures, and deletes data older than its workspace's `retention_days`. This role also
 * builds the segments of the search index.
 */
@Module({
  imports: [
    AccessHttpModule,
    AlertsModule,
    CollectModule,
    CommentsModule,
    ContentModule,
    DatasetsRepositoryModule,
    DeliverModule,
    ExportJobsModule,
    MessagesModule,
    PostsModule,
    PrivacyModule,
    SearchModule,
  ],
  providers: [ErasureWorker, ErasurePass, ErasedRows, RowsToErase, RetentionWorker, RetentionMetrics],
})
export class PrivacySchedulerModule {}
