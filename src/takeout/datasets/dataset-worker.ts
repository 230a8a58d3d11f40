import { Injectable } from '@nestjs/common';
import { newOwnerName } from '../../common/ids.js';
import { LeaseLost, whileLeased, WorkPaused } from '../../common/leased-work.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { Problem } from '../../http/problems/problem.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { DatasetBuilder } from './dataset-builder.js';
import type { Dataset } from './dataset.entity.js';
import { DatasetLeasesRepository, type DatasetOutcome } from './dataset-leases.repository.js';

const POLL_MS = 1_000;
/** After this time another worker may restart a dataset whose worker was killed. */
const LEASE_MS = 10_000;
const MAX_ATTEMPTS = 5;
const RETRY_MS = 5_000;
const BROKE_OFF = `Writing it failed ${MAX_ATTEMPTS} times. The service log has the cause. Create a new dataset.`;

/** Freezes datasets, one at a time in a process, the oldest first. */
@Injectable()
export class DatasetWorker extends RepeatedWork {
  constructor(
    private readonly leases: DatasetLeasesRepository,
    private readonly builder: DatasetBuilder,
    private readonly inactive: InactiveWorkspaces,
  ) {
    super(POLL_MS, 'dataset not frozen; it is retried');
  }

  override async work(): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    const owner = newOwnerName();
    const dataset = await this.leases.claim(this.inactive.ids, owner, LEASE_MS);
    if (dataset === null) return false;
    const { workspaceId, id } = dataset;
    const lost = new AbortController();
    await whileLeased(
      {
        prolong: () => this.leases.prolong({ workspaceId, id, owner }, LEASE_MS),
        isSuspended: () => this.inactive.has(workspaceId),
        onError: (error) => this.logger.warn({ err: error, datasetId: id }, 'heartbeat failed'),
      },
      lost,
      () => this.freeze(dataset, owner, AbortSignal.any([lost.signal, this.stopping.signal])),
    );
    return true;
  }

  private async freeze(dataset: Dataset, owner: string, signal: AbortSignal): Promise<void> {
    const { workspaceId, id, attempts } = dataset;
    const lease = { workspaceId, id, owner };
    // The workers of earlier attempts died before they could record a failure.
    if (attempts > MAX_ATTEMPTS) return this.end(dataset, owner, failed(BROKE_OFF));
    try {
      const frozen = await this.builder.build(dataset, owner, signal);
      await this.end(dataset, owner, { ...frozen, status: 'completed', errorMessage: null });
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof LeaseLost) return;
      if (reason instanceof WorkPaused)
        return this.leases.release(lease, { countsAttempt: false, delayMs: 0 });
      if (reason instanceof Problem && reason.code === 'quota_exceeded')
        return this.end(dataset, owner, failed(reason.detail));
      this.logger.error({ err: error, workspaceId, datasetId: id }, 'freezing a dataset failed');
      if (attempts >= MAX_ATTEMPTS) return this.end(dataset, owner, failed(BROKE_OFF));
      await this.leases.release(lease, { countsAttempt: true, delayMs: RETRY_MS });
    }
  }

  private async end({ workspaceId, id }: Dataset, owner: string, outcome: DatasetOutcome): Promise<void> {
    if (await this.leases.end(workspaceId, id, owner, outcome))
      this.logger.log({ msg: 'dataset ended', workspaceId, datasetId: id, status: outcome.status });
  }
}

const failed = (errorMessage: string): DatasetOutcome => ({
  status: 'failed',
  errorMessage,
  sources: {},
  models: null,
  labellers: [],
});
