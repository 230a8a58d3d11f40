import { type DynamicModule, Module, type NestInterceptor, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BULK_READ_INTERCEPTORS, CHANGE_INTERCEPTORS } from './http/changes/change.decorators.js';
import { ProblemFilter } from './http/server/problem-response.js';
import { RequestBodyInterceptor } from './http/changes/request-body.interceptor.js';
import { validationPipe } from './http/parameters/validation.pipe.js';
import { ConfigModule } from './config/config.module.js';
import type { Environment } from './config/environment.js';
import type { Role } from './config/roles.js';
import { DatabaseModule } from './database/database.module.js';
import { OutboundHttpModule } from './infrastructure/outbound-http/outbound-http.module.js';
import { QueueModule } from './infrastructure/queue/queue.module.js';
import { RedisModule } from './infrastructure/queue/redis.module.js';
import { SecretsModule } from './infrastructure/secrets/secrets.module.js';
import { TracingModule } from './infrastructure/tracing/tracing.module.js';
import { AlertDigestsModule } from './alerts/alert-digests.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { ArrivalsModule } from './content/arrivals.module.js';
import { PruningModule } from './infrastructure/pruning/pruning.module.js';
import { RateLimitModule } from './infrastructure/rate-limit/rate-limit.module.js';
import { AdminModule } from './operate/admin.module.js';
import { AnalyticsModule } from './content/analytics.module.js';
import { COMMENT_SEARCH } from './content/comments/comment-filter.js';
import { POST_SEARCH } from './content/posts/post-filter.js';
import { SearchIndexModule } from './search/search-index.module.js';
import { ApiKeyGuard } from './access/api-key.guard.js';
import { ApiKeysModule } from './access/api-keys.module.js';
import { AuditInterceptor } from './access/audit/audit.interceptor.js';
import { AuditUpkeepModule } from './access/audit-upkeep.module.js';
import { AuditModule } from './access/audit.module.js';
import { CommentsModule } from './content/comments.module.js';
import { DatasetWorkerModule } from './takeout/dataset-worker.module.js';
import { DatasetsModule } from './takeout/datasets.module.js';
import { DeliveryLogModule } from './deliver/delivery-log.module.js';
import { DeliveryModule } from './deliver/delivery.module.js';
import { EncryptionModule } from './tenants/encryption.module.js';
import { ReencryptionModule } from './privacy/reencryption.module.js';
import { ErasureWorkerModule } from './privacy/erasure-worker.module.js';
import { ErasuresModule } from './privacy/erasures.module.js';
import { ExportWorkerModule } from './takeout/export-worker.module.js';
import { ExportsModule } from './takeout/exports.module.js';
import { HealthModule } from './operate/health.module.js';
import { IdempotencyInterceptor } from './access/idempotency/idempotency.interceptor.js';
import { IdempotencyModule } from './access/idempotency.module.js';
import { ImportsModule } from './collect/imports.module.js';
import { JobPostsModule } from './collect/job-posts.module.js';
import { JobsModule } from './collect/jobs.module.js';
import { LabelsModule } from './content/labels.module.js';
import { MembersModule } from './access/members.module.js';
import { McpModule } from './operate/mcp.module.js';
import { MediaModule } from './content/media.module.js';
import { MetricsModule } from './operate/metrics.module.js';
import { PostsModule } from './content/posts.module.js';
import { RechecksModule } from './collect/rechecks.module.js';
import { RetentionModule } from './privacy/retention.module.js';
import { NotificationSettingsModule } from './deliver/notification-settings.module.js';
import { SchedulesTickerModule } from './collect/schedules-ticker.module.js';
import { SearchesModule } from './takeout/searches.module.js';
import { SchedulesModule } from './collect/schedules.module.js';
import { JobLogModule } from './collect/job-log.module.js';
import { ScrapingModule } from './collect/scraping.module.js';
import { ConcurrencyGuard } from './tenants/usage/concurrency.guard.js';
import { UsageModule } from './tenants/usage.module.js';
import { StreamsModule } from './collect/streams.module.js';
import { SourcesModule } from './collect/sources.module.js';
import { WebhooksModule } from './deliver/webhooks.module.js';
import { SignOnModule } from './access/sign-on.module.js';
import { SessionsModule } from './access/sessions.module.js';
import { WorkspaceDeletionModule } from './privacy/workspace-deletion.module.js';
import { InactiveWorkspacesModule } from './tenants/inactive-workspaces.module.js';
import { WorkspacesModule } from './access/workspaces.module.js';

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
