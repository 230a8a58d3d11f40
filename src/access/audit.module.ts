import { Module } from '@nestjs/common';
import { AuditChainRepository } from './audit/audit-chain.repository.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditService } from './audit/audit.service.js';

const PROVIDERS = [AuditService, AuditRepository, AuditChainRepository];

/** The audit log, for the request interceptor and for commands. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class AuditModule {}
