import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PortsModule } from './ports.module.js';
import { SealedColumns } from './ports/sealed-columns.js';
import { WorkspaceKey } from './workspace-keys/workspace-key.entity.js';
import { WorkspaceKeysRepository } from './workspace-keys/workspace-keys.repository.js';
import { WorkspaceKeys } from './workspace-keys/workspace-keys.service.js';

const PROVIDERS = [WorkspaceKeys, WorkspaceKeysRepository];

/** Secret keys of workspaces. */
@Module({
  imports: [PortsModule, TypeOrmModule.forFeature([WorkspaceKey])],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class WorkspaceKeysModule {
  constructor(sealed: SealedColumns, rows: WorkspaceKeysRepository, keys: WorkspaceKeys) {
    sealed.register(rows, keys);
  }
}
