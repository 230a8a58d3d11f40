import { Global, Module } from '@nestjs/common';
import { InactiveWorkspaces } from './workspaces/inactive-workspaces.js';
import { WorkspacesRepositoryModule } from './workspaces-repository.module.js';

/** Provides {@link InactiveWorkspaces} to every module of a process. */
@Global()
@Module({
  imports: [WorkspacesRepositoryModule],
  providers: [InactiveWorkspaces],
  exports: [InactiveWorkspaces],
})
export class InactiveWorkspacesModule {}
