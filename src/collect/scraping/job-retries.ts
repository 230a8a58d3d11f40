import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Problem } from '../../http/problems/problem.js';
import type { Job } from '../jobs/job.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { JobExecutionsRepository } from './job-executions.repository.js';
import { WorkListRepository } from './work-list.repository.js';

/** Retries ended jobs on behalf of operators. */
@Injectable()
export class JobRetries {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly executions: JobExecutionsRepository,
    private readonly workList: WorkListRepository,
    private readonly queue: JobQueue,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * Resets an ended job to pending under the same id, regardless of the quota of pending jobs. The job and its counters
   * start from the beginning. Throws 404, or 409 `job_not_retryable` unless the job has ended.
   */
  async retry(jobId: string): Promise<Job> {
    const found = await this.jobs.findById(jobId);
    if (found === null) throw new Problem('not_found', 'No such job');
    const { workspaceId, id } = found;
    const job = await this.transactions.run(async (tx) => {
      // The execution of a cancelled job ends within seconds; until then its row still exists.
      if (await this.executions.exists(workspaceId, id, tx))
        throw notRetryable(
          found.status === 'running' ? 'The job is running' : 'The job is still being stopped',
        );
      const back = await this.jobs.putBack(workspaceId, id, tx);
      if (back === null) throw notRetryable(`The job is ${found.status}`);
      await this.workList.removeAll([back], tx);
      return back;
    });
    await this.queue.enqueue(workspaceId, id);
    return job;
  }
}

function notRetryable(reason: string): Problem {
  return new Problem('job_not_retryable', `${reason}. Only jobs that have ended can be retried.`);
}
