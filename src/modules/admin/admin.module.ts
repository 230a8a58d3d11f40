import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { WorkspaceDataModule } from '../workspace-data/workspace-data.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AdminAccess } from './admin-access.js';
import { AdminSessionController } from './admin-session.controller.js';
import { AdminAuditController } from './admin-audit.controller.js';
import { AdminWorkspacesController } from './admin-workspaces.controller.js';
import { AdminWorkspacesService } from './admin-workspaces.service.js';

/** The API for operators, below `/admin`. */
@Module({
  imports: [ApiKeysModule, AuditModule, JobsModule, WorkspaceDataModule, WorkspacesModule],
  controllers: [AdminWorkspacesController, AdminAuditController, AdminSessionController],
  providers: [AdminWorkspacesService, AdminAccess],
})
export class AdminModule {}
