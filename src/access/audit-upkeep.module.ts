import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditPruner } from './audit/audit-pruner.js';
import { AuditSealer } from './audit/audit-sealer.js';
import { FailureAudit } from './audit/failure-audit.js';

/** What the service does with the audit log besides recording changes, which commands do too. */
@Module({ imports: [AuditModule], providers: [AuditPruner, AuditSealer, FailureAudit] })
export class AuditUpkeepModule {}
