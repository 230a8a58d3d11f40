import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { AuditChainRepository } from './audit-chain.repository.js';

const INTERVAL_MS = 2_000;
const BATCH = 500;

/**
 * Appends new audit entries to the chain every two seconds, in processes with the role worker or scheduler. Requests
 * only insert: if they appended themselves, they would wait for each other.
 */
@Injectable()
export class AuditSealer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditSealer.name);
  private readonly loop = new PollingLoop(
    async () => (await this.chain.seal(BATCH)) === BATCH,
    INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'audit entries not sealed'),
  );

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'ROLES'>,
    private readonly chain: AuditChainRepository,
  ) {}

  onApplicationBootstrap(): void {
    if (this.environment.ROLES.some((role) => role !== 'api')) this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
