import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { WorkspaceController } from './workspace.controller.js';
import { WorkspacesService } from './workspaces.service.js';
import { WorkspacesRepositoryModule } from '../../tenants/workspaces/workspaces-repository.module.js';

@Module({
  imports: [ApiKeysModule, WorkspacesRepositoryModule],
  controllers: [WorkspaceController],
  providers: [WorkspacesService],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
