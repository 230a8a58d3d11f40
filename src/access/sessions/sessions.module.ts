import { Module } from '@nestjs/common';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { SessionsService } from './sessions.service.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { SessionController } from './session.controller.js';
import { WorkspaceSessionsController } from './workspace-sessions.controller.js';

/** Signs browsers in and out. */
@Module({
  imports: [ApiKeysModule, WorkspacesModule],
  controllers: [SessionController, WorkspaceSessionsController],
})
export class SessionsModule {
  constructor(pruner: Pruner, sessions: SessionsService) {
    pruner.add('sessions', () => sessions.pruneBatch());
  }
}
