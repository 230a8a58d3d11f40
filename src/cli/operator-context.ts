import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { SecretsModule } from '../infrastructure/secrets/secrets.module.js';
import { AdminWorkspacesService } from '../operate/admin/admin-workspaces.service.js';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { ApiKeysService } from '../access/api-keys/api-keys.service.js';
import { AuditModule } from '../access/audit.module.js';
import { AuditService } from '../access/audit/audit.service.js';
import { CommentsModule } from '../content/comments.module.js';
import { ErasuresModule } from '../privacy/erasures.module.js';
import { ErasuresService } from '../privacy/erasures/erasures.service.js';
import { PostsModule } from '../content/posts.module.js';
import { TenantRowsRepository } from '../privacy/workspaces/tenant-rows.repository.js';
import { WorkspacesModule } from '../access/workspaces.module.js';
import { WorkspacesService } from '../access/workspaces/workspaces.service.js';
import { TransactionRunner } from '../database/transaction-runner.js';
import { AdminWorkspacesModule } from '../operate/admin-workspaces.module.js';
import { Operators } from '../access/operators/operators.js';
import { OperatorsModule } from '../access/operators.module.js';
import { InactiveWorkspacesModule } from '../tenants/inactive-workspaces.module.js';
import { MediaRepositoryModule } from '../content/media-repository.module.js';
import { TenantRowsModule } from '../privacy/tenant-rows.module.js';

@Module({})
class OperatorCommandModule {}

/** Dependencies of operator commands. */
export interface OperatorTools {
  workspaces: WorkspacesService;
  admin: AdminWorkspacesService;
  operators: Operators;
  apiKeys: ApiKeysService;
  audit: AuditService;
  rows: TenantRowsRepository;
  erasures: ErasuresService;
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
        SecretsModule.existing(),
        AdminWorkspacesModule,
        ApiKeysModule,
        AuditModule,
        CommentsModule,
        ErasuresModule,
        InactiveWorkspacesModule,
        MediaRepositoryModule,
        OperatorsModule,
        PostsModule,
        TenantRowsModule,
        WorkspacesModule,
      ],
    },
    { logger: ['error'], abortOnError: false },
  );
  try {
    return await work({
      workspaces: app.get(WorkspacesService),
      admin: app.get(AdminWorkspacesService),
      operators: app.get(Operators),
      apiKeys: app.get(ApiKeysService),
      audit: app.get(AuditService),
      rows: app.get(TenantRowsRepository),
      erasures: app.get(ErasuresService),
      transactions: app.get(TransactionRunner),
    });
  } finally {
    await app.close();
  }
}
