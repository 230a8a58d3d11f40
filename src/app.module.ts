import { type DynamicModule, Module, type NestInterceptor, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BULK_READ_INTERCEPTORS, CHANGE_INTERCEPTORS } from './http/change.decorators.js';
import { ProblemFilter } from './http/problem-response.js';
import { RequestBodyInterceptor } from './http/request-body.interceptor.js';
import { validationPipe } from './http/validation.pipe.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import type { Role } from './config/roles.js';
import { DatabaseModule } from './database/database.module.js';
import { OutboundHttpModule } from './infrastructure/outbound-http/outbound-http.module.js';
import { QueueModule } from './infrastructure/queue/queue.module.js';
import { RedisModule } from './infrastructure/queue/redis.module.js';
import { SecretsModule } from './infrastructure/secrets/secrets.module.js';
import { TracingModule } from './infrastructure/tracing/tracing.module.js';
import { AlertDigestsModule } from './modules/alerts/digests/alert-digests.module.js';
import { AlertsModule } from './modules/alerts/alerts.module.js';
import { ArrivalsModule } from './modules/arrivals/arrivals.module.js';
import { PruningModule } from './infrastructure/pruning/pruning.module.js';
import { RateLimitModule } from './infrastructure/rate-limit/rate-limit.module.js';
import { AdminModule } from './modules/admin/admin.module.js';
import { AnalyticsModule } from './modules/analytics/analytics.module.js';
import { COMMENT_SEARCH } from './modules/comments/comment-filter.js';
import { POST_SEARCH } from './modules/posts/post-filter.js';
import { SearchIndexModule } from './modules/search/search-index.module.js';
import { ApiKeyGuard } from './modules/api-keys/api-key.guard.js';
import { ApiKeysModule } from './modules/api-keys/api-keys.module.js';
import { AuditInterceptor } from './modules/audit/audit.interceptor.js';
import { AuditUpkeepModule } from './modules/audit/audit-upkeep.module.js';
import { AuditModule } from './modules/audit/audit.module.js';
import { CommentsModule } from './modules/comments/comments.module.js';
import { DatasetWorkerModule } from './modules/datasets/dataset-worker.module.js';
import { DatasetsModule } from './modules/datasets/datasets.module.js';
import { DeliveryLogModule } from './modules/delivery/log/delivery-log.module.js';
import { DeliveryModule } from './modules/delivery/delivery.module.js';
import { EncryptionModule } from './modules/encryption/encryption.module.js';
import { ReencryptionModule } from './modules/encryption/reencryption.module.js';
import { ErasureWorkerModule } from './modules/erasures/erasure-worker.module.js';
import { ErasuresModule } from './modules/erasures/erasures.module.js';
import { ExportWorkerModule } from './modules/exports/export-worker.module.js';
import { ExportsModule } from './modules/exports/exports.module.js';
import { HealthModule } from './modules/health/health.module.js';
import { IdempotencyInterceptor } from './modules/idempotency/idempotency.interceptor.js';
import { IdempotencyModule } from './modules/idempotency/idempotency.module.js';
import { ImportsModule } from './modules/imports/imports.module.js';
import { JobPostsModule } from './modules/scraping/job-posts.module.js';
import { JobsModule } from './modules/jobs/jobs.module.js';
import { LabelsModule } from './modules/labels/labels.module.js';
import { MembersModule } from './modules/members/members.module.js';
import { McpModule } from './modules/mcp/mcp.module.js';
import { MediaModule } from './modules/media/media.module.js';
import { MetricsModule } from './modules/metrics/metrics.module.js';
import { PostsModule } from './modules/posts/posts.module.js';
import { RechecksModule } from './modules/rechecks/rechecks.module.js';
import { RetentionModule } from './modules/retention/retention.module.js';
import { NotificationSettingsModule } from './modules/subscriptions/notification-settings.module.js';
import { SchedulesTickerModule } from './modules/schedules/schedules-ticker.module.js';
import { SearchesModule } from './modules/searches/searches.module.js';
import { SchedulesModule } from './modules/schedules/schedules.module.js';
import { JobLogModule } from './modules/scraping/log/job-log.module.js';
import { ScrapingModule } from './modules/scraping/scraping.module.js';
import { ConcurrencyGuard } from './modules/usage/concurrency.guard.js';
import { UsageModule } from './modules/usage/usage.module.js';
import { StreamsModule } from './modules/streams/streams.module.js';
import { SourcesModule } from './modules/sources/sources.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { SignOnModule } from './modules/sign-on/sign-on.module.js';
import { SessionsModule } from './modules/sessions/sessions.module.js';
import { WorkspaceDeletionModule } from './modules/workspace-data/workspace-deletion.module.js';
import { InactiveWorkspacesModule } from './modules/workspaces/inactive-workspaces.module.js';
import { WorkspacesModule } from './modules/workspaces/workspaces.module.js';

/** The modules that each role adds to those of every process. */
const MODULES_OF_ROLE: Record<Role, (Type | DynamicModule)[]> = {
  api: [
    ApiKeysModule,
    JobsModule,
    JobLogModule,
    JobPostsModule,
    PostsModule,
    CommentsModule,
    AnalyticsModule,
    SchedulesModule,
    SourcesModule,
    AlertsModule,
    SearchesModule,
    ErasuresModule,
    WebhooksModule,
    DeliveryLogModule,
    ExportsModule,
    DatasetsModule,
    LabelsModule,
    MediaModule,
    McpModule,
    AdminModule,
    MembersModule,
    NotificationSettingsModule,
    SignOnModule,
  ],
  worker: [
    ScrapingModule,
    RechecksModule,
    DeliveryModule,
    ExportWorkerModule,
    DatasetWorkerModule,
    ImportsModule,
    ReencryptionModule,
    WorkspaceDeletionModule,
  ],
  scheduler: [
    SchedulesTickerModule,
    AlertDigestsModule,
    ArrivalsModule,
    SearchIndexModule.of([POST_SEARCH, COMMENT_SEARCH]),
    RetentionModule,
    ErasureWorkerModule,
    StreamsModule,
  ],
};

/** The order matters: an idempotency key covers the body, and a repeated request changes nothing. */
const INTERCEPTORS_OF_CHANGES = [RequestBodyInterceptor, IdempotencyInterceptor, AuditInterceptor];

/** The only class that imports every module. */
@Module({})
export class AppModule {
  static for(environment: Environment): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(environment),
        DatabaseModule,
        QueueModule,
        RedisModule,
        SecretsModule,
        TracingModule,
        OutboundHttpModule,
        RateLimitModule,
        PruningModule,
        IdempotencyModule,
        HealthModule,
        MetricsModule,
        ApiKeysModule,
        InactiveWorkspacesModule,
        SessionsModule,
        AuditModule,
        AuditUpkeepModule,
        WorkspacesModule,
        UsageModule,
        EncryptionModule,
        ...new Set(environment.ROLES.flatMap((role) => MODULES_OF_ROLE[role])),
      ],
      providers: [
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: ConcurrencyGuard },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useFactory: validationPipe },
        ...INTERCEPTORS_OF_CHANGES,
        {
          provide: CHANGE_INTERCEPTORS,
          inject: INTERCEPTORS_OF_CHANGES,
          useFactory: (...interceptors: NestInterceptor[]) => interceptors,
        },
        {
          provide: BULK_READ_INTERCEPTORS,
          inject: [AuditInterceptor],
          useFactory: (...interceptors: NestInterceptor[]) => interceptors,
        },
      ],
      // Every module with controllers runs them.
      global: true,
      exports: [CHANGE_INTERCEPTORS, BULK_READ_INTERCEPTORS],
    };
  }
}
