import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { MediaModule } from '../media/media.module.js';
import { JobExecutionsRepository } from '../scraping/job-executions.repository.js';
import { KeywordFrequenciesRepository } from '../scraping/keyword-frequencies.repository.js';
import { WorkspacesRepository } from '../workspaces/workspaces.repository.js';
import { TenantRowsRepository } from './tenant-rows.repository.js';
import { WorkspaceReset } from './workspace-reset.js';

const REPOSITORIES = [TenantRowsRepository, JobExecutionsRepository, WorkspacesRepository];

/** Deletion, reset and export of a workspace's complete data. */
@Module({
  imports: [JobsModule, MediaModule],
  providers: [...REPOSITORIES, KeywordFrequenciesRepository, WorkspaceReset],
  exports: [...REPOSITORIES, JobsModule, MediaModule, WorkspaceReset],
})
export class WorkspaceDataModule {}
