import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys.module.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditChainRepository } from './audit/audit-chain.repository.js';
import { AuditListService } from './audit/audit-list.service.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditService } from './audit/audit.service.js';
import { AdminSessionsRepository } from './operators/admin-sessions.repository.js';
import { OperatorAccountsRepository } from './operators/operator-accounts.repository.js';
import { Operators } from './operators/operators.js';
import { WorkspaceController } from './workspaces/workspace.controller.js';
import { WorkspacesService } from './workspaces/workspaces.service.js';

const EXPORTED = [
  AuditService,
  AuditListService,
  AuditRepository,
  AuditChainRepository,
  AdminSessionsRepository,
  Operators,
  WorkspacesService,
];

/** Workspaces, operators and the audit log, for the API and for commands; needs only Postgres. */
@Module({
  imports: [ApiKeysModule],
  controllers: [WorkspaceController, AuditController],
  providers: [...EXPORTED, OperatorAccountsRepository],
  exports: EXPORTED,
})
export class AccessModule {}
