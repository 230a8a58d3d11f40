import { Inject, Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { AuditChainRepository } from './audit-chain.repository.js';

const INTERVAL_MS = 2_000;
const BATCH = 500;

/**
 * Appends new audit entries to the chain every two seconds, in processes with the role worker or scheduler. Requests
 * only insert: if they appended themselves, they would wait for each other.
 */
@Injectable()
export class AuditSealer extends RepeatedWork {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'ROLES'>,
    private readonly chain: AuditChainRepository,
  ) {
    super(INTERVAL_MS, 'audit entries not sealed', 'error');
  }

  override async work(): Promise<boolean> {
    return (await this.chain.seal(BATCH)) === BATCH;
  }

  override onApplicationBootstrap(): void {
    if (this.environment.ROLES.some((role) => role !== 'api')) this.loop.wake();
  }
}
