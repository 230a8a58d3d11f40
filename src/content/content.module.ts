import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { ANYWHERE } from '../infrastructure/outbound-http/address-guard.js';
import { OutboundHttpClient } from '../infrastructure/outbound-http/outbound-http-client.js';
import { Pruner } from '../infrastructure/pruning/pruner.js';
import { SearchModule } from '../search/search.module.js';
import { Removals } from '../tenants/ports/removals.js';
import { AnalyticsController } from './analytics/analytics.controller.js';
import { AnalyticsService } from './analytics/analytics.service.js';
import { ExplainController } from './analytics/explain.controller.js';
import { QueriesController } from './analytics/queries.controller.js';
import { QuerySuggestionsService } from './analytics/query-suggestions.service.js';
import { RecallController } from './analytics/recall.controller.js';
import { RecallService } from './analytics/recall.service.js';
import { SpikesService } from './analytics/spikes.service.js';
import { ArrivalsRepository } from './arrivals/arrivals.repository.js';
import { ContentRecordsModule } from './content-records.module.js';
import { LabelStatisticsRepository } from './labels/label-statistics.repository.js';
import { Label } from './labels/label.entity.js';
import { LabelsController } from './labels/labels.controller.js';
import { LabelsRepository } from './labels/labels.repository.js';
import { LabelsService } from './labels/labels.service.js';
import { MediaDownloader } from './media/media-downloader.js';
import { MediaQuota } from './media/media-quota.js';
import { MediaStaging } from './media/media-staging.js';
import { MediaStore } from './media/media-store.js';
import { MediaController } from './media/media.controller.js';
import { PostsModule } from './posts.module.js';
import { RecordRemoval } from './removal/record-removal.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';
import { SpeakersRepository } from './speakers/speakers.repository.js';
import { StoriesModule } from './stories.module.js';
import { CommentsModule } from './comments.module.js';
import { ExpiredMedia } from './removal/expired-media.js';
import { ExpiredRecords } from './removal/expired-records.js';

const TRUSTED_CLIENT = Symbol('TRUSTED_CLIENT');
const PRUNED_AT_ONCE = 5_000;

/** Files, labels, arrivals and analytics of posts and comments, and the removal of records with all that belongs to them. */
@Module({
  imports: [
    CommentsModule,
    ContentRecordsModule,
    PostsModule,
    SearchModule,
    StoriesModule,
    TypeOrmModule.forFeature([Label]),
  ],
  controllers: [
    AnalyticsController,
    ExplainController,
    LabelsController,
    MediaController,
    QueriesController,
    RecallController,
  ],
  providers: [
    AnalyticsService,
    QuerySuggestionsService,
    RecallService,
    SpikesService,
    ArrivalsRepository,
    LabelsRepository,
    LabelsService,
    LabelStatisticsRepository,
    RecordRemoval,
    SpeakersRepository,
    ExpiredRecords,
    ExpiredMedia,
    {
      provide: MediaStore,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => MediaStore.open(environment),
    },
    {
      provide: MediaStaging,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => MediaStaging.open(environment.DATA_DIR),
    },
    // Only used for origins that the operator configured.
    { provide: TRUSTED_CLIENT, useFactory: () => new OutboundHttpClient(ANYWHERE) },
    {
      provide: MediaDownloader,
      inject: [MediaStore, MediaStaging, MediaQuota, OutboundHttpClient, TRUSTED_CLIENT, ENVIRONMENT],
      useFactory: (
        store: MediaStore,
        staging: MediaStaging,
        quota: MediaQuota,
        client: OutboundHttpClient,
        trusted: OutboundHttpClient,
        environment: Environment,
      ) =>
        new MediaDownloader(store, staging, quota, client, trusted, [
          new URL(environment.PLATFORM_BASE_URL).origin,
          ...environment.PLATFORM_MEDIA_ORIGINS,
        ]),
    },
  ],
  exports: [
    ContentRecordsModule,
    AnalyticsService,
    RecallService,
    SpikesService,
    StoriesModule,
    ArrivalsRepository,
    LabelsRepository,
    RecordRemoval,
    SpeakersRepository,
    MediaDownloader,
    MediaStore,
    MediaStaging,
  ],
})
export class ContentModule {
  constructor(
    pruner: Pruner,
    removals: Removals,
    stores: WorkspaceStores,
    arrivals: ArrivalsRepository,
    labels: LabelsRepository,
    files: MediaStore,
  ) {
    stores.register({ empty: (workspaceId) => files.removeFolder(workspaceId) });
    removals.register({
      tables: ['arrivals'],
      when: 'erasure',
      posts: arrivals.forgetPosts.bind(arrivals),
    });
    const remove = labels.deleteOf.bind(labels);
    removals.register({ tables: ['labels'], when: 'always', posts: remove, comments: remove });
    pruner.add('arrivals', async () => (await arrivals.deleteExpired(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE);
  }
}
