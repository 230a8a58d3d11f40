import { Module } from '@nestjs/common';
import { JobsModule } from '../collect/jobs.module.js';
import { MediaModule } from '../content/media.module.js';
import { WorkspaceReset } from './workspaces/workspace-reset.js';
import { WorkspacesRepositoryModule } from '../tenants/workspaces-repository.module.js';
import { ExecutionsModule } from '../collect/executions.module.js';
import { TenantRowsModule } from './tenant-rows.module.js';

const STORES = [ExecutionsModule, JobsModule, MediaModule, TenantRowsModule, WorkspacesRepositoryModule];

/** Deletion, reset and export of a workspace's complete data. */
@Module({
  imports: STORES,
  providers: [WorkspaceReset],
  exports: [...STORES, WorkspaceReset],
})
export class WorkspaceDataModule {}
