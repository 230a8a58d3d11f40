import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { AuditRepository } from './audit.repository.js';

const BATCH = 1_000;

/** Deletes audit entries older than `AUDIT_RETENTION_DAYS`; 0 keeps all of them. */
@Injectable()
export class AuditPruner {
  constructor(
    @Inject(ENVIRONMENT) { AUDIT_RETENTION_DAYS: days }: Pick<Environment, 'AUDIT_RETENTION_DAYS'>,
    entries: AuditRepository,
    pruner: Pruner,
  ) {
    if (days > 0)
      pruner.add('audit entries', async () => (await entries.deleteOlderThan(days, BATCH)) === BATCH);
  }
}
