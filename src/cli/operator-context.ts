import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { SecretsModule } from '../infrastructure/secrets/secrets.module.js';
import { AdminWorkspacesService } from '../operate/admin/admin-workspaces.service.js';
import { ApiKeysService } from '../access/api-keys/api-keys.service.js';
import { AccessModule } from '../access/access.module.js';
import { AuditService } from '../access/audit/audit.service.js';
import { PrivacyModule } from '../privacy/privacy.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { ErasuresService } from '../privacy/erasures/erasures.service.js';
import { TenantRowsRepository } from '../privacy/workspaces/tenant-rows.repository.js';
import { WorkspacesService } from '../access/workspaces/workspaces.service.js';
import { TransactionRunner } from '../database/transaction-runner.js';
import { AdminWorkspacesModule } from '../operate/admin-workspaces.module.js';
import { Operators } from '../access/operators/operators.js';

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
        TenantsModule,
        AccessModule,
        AdminWorkspacesModule,
        PrivacyModule,
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
