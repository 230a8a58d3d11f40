import { Module } from '@nestjs/common';
import { Pruner } from '../infrastructure/pruning/pruner.js';
import { ApiKeysModule } from './api-keys.module.js';
import { SessionsService } from './sessions/sessions.service.js';
import { WorkspacesModule } from './workspaces.module.js';
import { SessionController } from './sessions/session.controller.js';
import { WorkspaceSessionsController } from './sessions/workspace-sessions.controller.js';

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
