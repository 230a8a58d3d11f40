import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ApiKeysModule } from '../access/api-keys.module.js';
import { CollectModule } from '../collect/collect.module.js';
import { AdminWorkspacesService } from './admin/admin-workspaces.service.js';

/** Operators' changes of workspaces, for the API and for commands. */
@Module({
  imports: [AccessModule, ApiKeysModule, CollectModule],
  providers: [AdminWorkspacesService],
  exports: [AdminWorkspacesService],
})
export class AdminWorkspacesModule {}
