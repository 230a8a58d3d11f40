import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditPruner } from './audit-pruner.js';

/** Separate from the audit log module, which commands use too. */
@Module({ imports: [AuditModule], providers: [AuditPruner] })
export class AuditPruningModule {}
