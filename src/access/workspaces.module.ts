import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys.module.js';
import { WorkspaceController } from './workspaces/workspace.controller.js';
import { WorkspacesService } from './workspaces/workspaces.service.js';
import { WorkspacesRepositoryModule } from '../tenants/workspaces-repository.module.js';

@Module({
  imports: [ApiKeysModule, WorkspacesRepositoryModule],
  controllers: [WorkspaceController],
  providers: [WorkspacesService],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
