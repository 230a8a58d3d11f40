import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { newOwnerName } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { PluginRegistry } from '../../enrichment/plugins/plugin-registry.js';
import type { Job } from '../jobs/job.entity.js';
import { JobProgressRepository } from '../jobs/job-progress.repository.js';
import { isSmall, JobTurnsRepository } from '../jobs/job-turns.repository.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { claimLimits, mayResume, type ProcessLoad } from './claim-limits.js';
import { JobExecution, type Lease } from './job-execution.js';
import { JobExecutionsRepository } from './job-executions.repository.js';
import { LEASE_MS } from './heartbeat.js';
import { WorkListRepository } from './work-list.repository.js';

/**
 * Claims jobs for this process: first those whose worker was lost, then pending ones in turn order. Jobs of suspended
 * workspaces are left unchanged.
 */
@Injectable()
export class JobClaims {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly executions: JobExecutionsRepository,
    private readonly turns: JobTurnsRepository,
    private readonly jobs: JobProgressRepository,
    private readonly workList: WorkListRepository,
    private readonly plugins: PluginRegistry,
    private readonly inactive: InactiveWorkspaces,
    private readonly clock: Clock,
  ) {}

  /** Claims the next job for which there is a slot; null when there is none. */
  async claimNext(load: ProcessLoad): Promise<JobExecution | null> {
    const owner = newOwnerName();
    const claimed = await this.transactions.run(async (tx) => {
      await this.executions.lockClaims(tx);
      return (await this.resumeLost(owner, load, tx)) ?? (await this.startNext(owner, load, tx));
    });
    if (claimed === null) return null;
    const { job, lease } = claimed;
    const context = { workspaceId: job.workspaceId, jobId: job.id, target: job.target };
    return new JobExecution(job, lease, this.plugins.runner(job.plugins, context), this.clock);
  }

  private async resumeLost(owner: string, load: ProcessLoad, tx: EntityManager): Promise<Claim | null> {
    const executions = await this.executions.list(tx);
    for (const lost of executions.filter((execution) => mayResume(execution, load))) {
      const { workspaceId, jobId } = lost;
      if (this.inactive.has(workspaceId)) continue;
      const lease = await this.executions.takeOver(workspaceId, jobId, { owner, leaseMs: LEASE_MS }, tx);
      if (lease === null) continue;
      const job = await this.jobs.findRunning(workspaceId, jobId, tx);
      if (job !== null) return { job, lease: { owner, ...lease } };
      // The job was cancelled while no worker was executing it.
      await this.executions.remove(workspaceId, jobId, owner, tx);
      await this.workList.complete(workspaceId, jobId, tx);
    }
    return null;
  }

  private async startNext(owner: string, load: ProcessLoad, tx: EntityManager): Promise<Claim | null> {
    const limits = claimLimits(await this.executions.list(tx), load);
    if (limits === null) return null;
    const { ids } = this.inactive;
    const job = await this.turns.startNext(
      {
        ...limits,
        withoutSmall: [...limits.withoutSmall, ...ids],
        withoutLarge: [...limits.withoutLarge, ...ids],
      },
      tx,
    );
    if (job === null) return null;
    const options = { isSmall: isSmall(job), owner, leaseMs: LEASE_MS };
    const lease = await this.executions.create(job.workspaceId, job.id, options, tx);
    return { job, lease: { owner, ...lease } };
  }
}

interface Claim {
  job: Job;
  lease: Lease;
}
