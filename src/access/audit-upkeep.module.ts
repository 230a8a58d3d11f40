import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditPruner } from './audit/audit-pruner.js';
import { AuditSealer } from './audit/audit-sealer.js';
import { FailureAudit } from './audit/failure-audit.js';

/** Upkeep of the audit log: sealing, checks and removal of old entries. Recording is elsewhere, because commands do it too. */
@Module({ imports: [AuditModule], providers: [AuditPruner, AuditSealer, FailureAudit] })
export class AuditUpkeepModule {}
