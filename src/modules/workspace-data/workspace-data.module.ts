import { Module } from '@nestjs/common';
import { JobQueueModule } from '../jobs/job-queue.module.js';
import { MediaModule } from '../media/media.module.js';
import { JobExecutionsRepository } from '../scraping/job-executions.repository.js';
import { WorkspacesRepository } from '../workspaces/workspaces.repository.js';
import { TenantRowsRepository } from './tenant-rows.repository.js';
import { WorkspaceDeleter } from './workspace-deleter.js';

/** Deletes workspaces with everything that belongs to them. */
@Module({
  imports: [JobQueueModule, MediaModule],
  providers: [WorkspaceDeleter, TenantRowsRepository, JobExecutionsRepository, WorkspacesRepository],
})
export class WorkspaceDataModule {}
