import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { JobsRepositoryModule } from '../collect/jobs-repository.module.js';
import { WorkspacesModule } from '../access/workspaces.module.js';
import { AdminWorkspacesService } from './admin/admin-workspaces.service.js';

/** Operators' changes of workspaces, for the API and for commands. */
@Module({
  imports: [ApiKeysModule, JobsRepositoryModule, WorkspacesModule],
  providers: [AdminWorkspacesService],
  exports: [AdminWorkspacesService],
})
export class AdminWorkspacesModule {}
