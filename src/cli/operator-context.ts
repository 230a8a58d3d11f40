import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { AdminWorkspacesService } from '../modules/admin/admin-workspaces.service.js';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module.js';
import { ApiKeysService } from '../modules/api-keys/api-keys.service.js';
import { AuditModule } from '../modules/audit/audit.module.js';
import { AuditService } from '../modules/audit/audit.service.js';
import { CommentsModule } from '../modules/comments/comments.module.js';
import { JobsRepositoryModule } from '../modules/jobs/jobs-repository.module.js';
import { MediaFile } from '../modules/media/media-file.entity.js';
import { MediaQuota } from '../modules/media/media-quota.js';
import { MediaRepository } from '../modules/media/media.repository.js';
import { PostsModule } from '../modules/posts/posts.module.js';
import { TenantRowsRepository } from '../modules/workspace-data/tenant-rows.repository.js';
import { InactiveWorkspaces } from '../modules/workspaces/inactive-workspaces.js';
import { WorkspacesModule } from '../modules/workspaces/workspaces.module.js';
import { WorkspacesRepository } from '../modules/workspaces/workspaces.repository.js';
import { WorkspacesService } from '../modules/workspaces/workspaces.service.js';
import { TransactionRunner } from '../database/transaction-runner.js';

@Module({})
class OperatorCommandModule {}

/** Dependencies of operator commands. */
export interface OperatorTools {
  workspaces: WorkspacesService;
  admin: AdminWorkspacesService;
  apiKeys: ApiKeysService;
  audit: AuditService;
  rows: TenantRowsRepository;
  transactions: TransactionRunner;
}

/**
 * Runs `work` on the environment's database, which must be migrated. Needs only Postgres: no Redis and no media store.
 */
export async function withOperatorTools<T>(
  environment: Environment,
  work: (tools: OperatorTools) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(
    {
      module: OperatorCommandModule,
      imports: [
        ConfigModule.with(environment),
        DatabaseModule,
        ApiKeysModule,
        AuditModule,
        CommentsModule,
        JobsRepositoryModule,
        PostsModule,
        TypeOrmModule.forFeature([MediaFile]),
        WorkspacesModule,
      ],
      providers: [
        AdminWorkspacesService,
        InactiveWorkspaces,
        MediaQuota,
        MediaRepository,
        TenantRowsRepository,
        WorkspacesRepository,
      ],
    },
    { logger: ['error'], abortOnError: false },
  );
  try {
    return await work({
      workspaces: app.get(WorkspacesService),
      admin: app.get(AdminWorkspacesService),
      apiKeys: app.get(ApiKeysService),
      audit: app.get(AuditService),
      rows: app.get(TenantRowsRepository),
      transactions: app.get(TransactionRunner),
    });
  } finally {
    await app.close();
  }
}
