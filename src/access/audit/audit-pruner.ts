import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { AuditChainRepository } from './audit-chain.repository.js';

const BATCH = 1_000;

/** Deletes sealed audit entries older than `AUDIT_RETENTION_DAYS`; 0 keeps all of them. */
@Injectable()
export class AuditPruner {
  constructor(
    @Inject(ENVIRONMENT) { AUDIT_RETENTION_DAYS: days }: Pick<Environment, 'AUDIT_RETENTION_DAYS'>,
    entries: AuditChainRepository,
    pruner: Pruner,
  ) {
    if (days > 0)
      pruner.add('audit entries', async () => (await entries.deleteOlderThan(days, BATCH)) === BATCH);
  }
}
