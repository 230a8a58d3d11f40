import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditPruner } from './audit-pruner.js';

/** Apart from the audit log itself, which commands use too. */
@Module({ imports: [AuditModule], providers: [AuditPruner] })
export class AuditPruningModule {}
