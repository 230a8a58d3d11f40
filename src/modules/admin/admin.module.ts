import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AdminWorkspacesController } from './admin-workspaces.controller.js';
import { AdminWorkspacesService } from './admin-workspaces.service.js';

/** The API for operators, below `/admin`. */
@Module({
  imports: [ApiKeysModule, JobsModule, WorkspacesModule],
  controllers: [AdminWorkspacesController],
  providers: [AdminWorkspacesService],
})
export class AdminModule {}
