import { Module } from '@nestjs/common';
import { WorkspacesRepository } from './workspaces/workspaces.repository.js';

/** The table of workspaces. */
@Module({ providers: [WorkspacesRepository], exports: [WorkspacesRepository] })
export class WorkspacesRepositoryModule {}
