import { Global, Module } from '@nestjs/common';
import { InactiveWorkspaces } from './inactive-workspaces.js';
import { WorkspacesRepository } from './workspaces.repository.js';

/** Provides {@link InactiveWorkspaces} to every module of a process. */
@Global()
@Module({ providers: [InactiveWorkspaces, WorkspacesRepository], exports: [InactiveWorkspaces] })
export class InactiveWorkspacesModule {}
