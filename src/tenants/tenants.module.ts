import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EncryptionKeysRepository } from './encryption/encryption-keys.repository.js';
import { Expiries } from './ports/expiries.js';
import { Listeners } from './ports/listeners.js';
import { Overview } from './ports/overview.js';
import { Removals } from './ports/removals.js';
import { ReportInputs } from './ports/report-inputs.js';
import { SealedColumns } from './ports/sealed-columns.js';
import { Traces } from './ports/traces.js';
import { WorkspaceStores } from './ports/workspace-stores.js';
import { ConcurrencyQuotas } from './usage/concurrency-quotas.js';
import { QuotasService } from './usage/quotas.service.js';
import { WorkspaceKey } from './workspace-keys/workspace-key.entity.js';
import { WorkspaceKeysRepository } from './workspace-keys/workspace-keys.repository.js';
import { WorkspaceKeys } from './workspace-keys/workspace-keys.service.js';
import { InactiveWorkspaces } from './workspaces/inactive-workspaces.js';
import { WorkspacesRepository } from './workspaces/workspaces.repository.js';

const PROVIDERS = [
  WorkspacesRepository,
  InactiveWorkspaces,
  QuotasService,
  ConcurrencyQuotas,
  WorkspaceKeys,
  WorkspaceKeysRepository,
  EncryptionKeysRepository,
  Expiries,
  Listeners,
  Overview,
  Removals,
  ReportInputs,
  SealedColumns,
  Traces,
  WorkspaceStores,
];

/**
 * Workspaces, their keys and quotas, and the ports where the owners of tables register the work that concerns every
 * table. Needs only Postgres, so that commands use it too.
 */
@Global()
@Module({ imports: [TypeOrmModule.forFeature([WorkspaceKey])], providers: PROVIDERS, exports: PROVIDERS })
export class TenantsModule {
  constructor(
    sealed: SealedColumns,
    stores: WorkspaceStores,
    rows: WorkspaceKeysRepository,
    keys: WorkspaceKeys,
  ) {
    stores.register({ kept: ['workspace_keys'] });
    sealed.register(rows, keys);
  }
}
