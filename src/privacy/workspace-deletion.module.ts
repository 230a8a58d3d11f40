import { Module } from '@nestjs/common';
import { WorkspaceDataModule } from './workspace-data.module.js';
import { WorkspaceDeleter } from './workspaces/workspace-deleter.js';

/** Deletes workspaces whose deletion was requested. */
@Module({ imports: [WorkspaceDataModule], providers: [WorkspaceDeleter] })
export class WorkspaceDeletionModule {}
