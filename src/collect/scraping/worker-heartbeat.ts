import { Injectable } from '@nestjs/common';
import { newOwnerName } from '../../common/ids.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { ClaimFailures } from '../../infrastructure/readiness/claim-failures.js';
import { JobWorkersRepository } from '../jobs/job-workers.repository.js';

const INTERVAL_MS = 2_000;

/**
 * Records every two seconds that this process executes jobs, and whether it fails to claim them, so that waiting jobs can
 * report that no worker takes them.
 */
@Injectable()
export class WorkerHeartbeat extends RepeatedWork {
  private readonly id = newOwnerName();

  constructor(
    private readonly workers: JobWorkersRepository,
    private readonly claimFailures: ClaimFailures,
  ) {
    super(INTERVAL_MS, 'worker heartbeat failed');
  }

  override async work(): Promise<boolean> {
    await this.workers.beat(this.id, this.claimFailures.current());
    return false;
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.workers
      .remove(this.id)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'worker not signed off'));
  }
}
