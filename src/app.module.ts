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
import { InfrastructureModule } from './infrastructure/infrastructure.module.js';
import { SecretsModule } from './infrastructure/secrets/secrets.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { UsageModule } from './tenants/usage.module.js';
import { AccessHttpModule } from './access/access-http.module.js';
import { ApiKeysModule } from './access/api-keys.module.js';
import { PostsModule } from './content/posts.module.js';
import { CommentsModule } from './content/comments.module.js';
import { ContentModule } from './content/content.module.js';
import { SearchIndexModule } from './search/search-index.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { ReportsModule } from './alerts/reports.module.js';
import { AlertDigestsModule } from './alerts/alert-digests.module.js';
import { JobsModule } from './collect/jobs.module.js';
import { SchedulesModule } from './collect/schedules.module.js';
import { CollectWorkerModule } from './collect/collect-worker.module.js';
import { CollectSchedulerModule } from './collect/collect-scheduler.module.js';
import { WebhooksModule } from './deliver/webhooks.module.js';
import { DeliverModule } from './deliver/deliver.module.js';
import { DeliverWorkerModule } from './deliver/deliver-worker.module.js';
import { ExportsModule } from './takeout/exports.module.js';
import { SearchesModule } from './takeout/searches.module.js';
import { TakeoutSchedulerModule } from './takeout/takeout-scheduler.module.js';
import { TakeoutWorkerModule } from './takeout/takeout-worker.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { PrivacyWorkerModule } from './privacy/privacy-worker.module.js';
import { PrivacySchedulerModule } from './privacy/privacy-scheduler.module.js';
import { AdminModule } from './operate/admin.module.js';
import { OperateModule } from './operate/operate.module.js';
import { COMMENT_SEARCH } from './content/comments/comment-filter.js';
import { POST_SEARCH } from './content/posts/post-filter.js';
import { ApiKeyGuard } from './access/api-key.guard.js';
import { AuditInterceptor } from './access/audit/audit.interceptor.js';
import { IdempotencyInterceptor } from './access/idempotency/idempotency.interceptor.js';
import { ConcurrencyGuard } from './tenants/usage/concurrency.guard.js';

/** The modules that each role adds to those of every process. */
const MODULES_OF_ROLE: Record<Role, (Type | DynamicModule)[]> = {
  api: [
    JobsModule,
    PostsModule,
    CommentsModule,
    ContentModule,
    SchedulesModule,
    AlertsModule,
    ReportsModule,
    SearchesModule,
    PrivacyModule,
    WebhooksModule,
    DeliverModule,
    ExportsModule,
    AdminModule,
  ],
  worker: [CollectWorkerModule, DeliverWorkerModule, TakeoutWorkerModule, PrivacyWorkerModule],
  scheduler: [
    CollectSchedulerModule,
    AlertDigestsModule,
    SearchIndexModule.of([POST_SEARCH, COMMENT_SEARCH]),
    PrivacySchedulerModule,
    TakeoutSchedulerModule,
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
        SecretsModule,
        InfrastructureModule,
        TenantsModule,
        ApiKeysModule,
        AccessHttpModule,
        UsageModule,
        OperateModule,
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
