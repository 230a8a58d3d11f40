import { Module } from '@nestjs/common';
import { JobQueueModule } from '../collect/job-queue.module.js';
import { ContentModule } from '../content/content.module.js';
import { PrivacyModule } from './privacy.module.js';
import { WorkspaceReset } from './workspaces/workspace-reset.js';

/** Deletion, reset and export of a workspace's complete data. */
@Module({
  imports: [ContentModule, JobQueueModule, PrivacyModule],
  providers: [WorkspaceReset],
  exports: [ContentModule, JobQueueModule, PrivacyModule, WorkspaceReset],
})
export class WorkspaceDataModule {}
