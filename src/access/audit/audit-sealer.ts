import { Inject, Injectable, Logger } from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
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
  private readonly logger = new Logger(AuditSealer.name);
  protected readonly loop = new PollingLoop(
    async () => (await this.chain.seal(BATCH)) === BATCH,
    INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'audit entries not sealed'),
  );

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'ROLES'>,
    private readonly chain: AuditChainRepository,
  ) {
    super();
  }

  override onApplicationBootstrap(): void {
    if (this.environment.ROLES.some((role) => role !== 'api')) this.loop.wake();
  }
}
