import { Injectable } from '@nestjs/common';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { JobDto } from '../jobs/dto/job.dto.js';
import type { Job } from '../jobs/job.entity.js';
import { type JobOutcome, JobProgressRepository } from '../jobs/job-progress.repository.js';
import type { JobExecution } from './job-execution.js';
import { JobExecutionsRepository } from './job-executions.repository.js';
import { WorkListRepository } from './work-list.repository.js';
import { WorkspaceKeywords } from './workspace-keywords.js';

/**
 * Ends executions. The job's outcome, its event and the phrase frequencies that the workspace gains commit together.
 */
@Injectable()
export class JobEnding {
  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly executions: JobExecutionsRepository,
    private readonly jobs: JobProgressRepository,
    private readonly workList: WorkListRepository,
    private readonly keywords: WorkspaceKeywords,
    private readonly outbox: OutboxRepository,
  ) {}

  /**
   * Returns the ended job, `cancelled` when the job was cancelled before, or `lost` when this execution had lost its
   * lease.
   */
  async end(execution: JobExecution, outcome: JobOutcome): Promise<Job | 'cancelled' | 'lost'> {
    const { job, lease, progress } = execution;
    const { workspaceId, id } = job;
    const learned = await this.keywords.gather(workspaceId, id);
    // Do not pass the execution's signal: the cause of its abortion must not prevent its end from being written.
    return this.transactions.run(new AbortController().signal, async (tx) => {
      if (!(await this.executions.remove(workspaceId, id, lease.owner, tx))) return 'lost';
      await this.workList.complete(workspaceId, id, tx);
      const record = await this.jobs.complete(workspaceId, id, outcome, progress, tx);
      if (record === null) return 'cancelled';
      if (learned !== null) await this.keywords.learn(workspaceId, learned, tx);
      await this.outbox.append(
        workspaceId,
        {
          type: `job.${outcome.status}`,
          // A job that an operator retries starts from the beginning, and its second end is a separate event.
          uniqueKey: `job:${id}:ended:${job.startedAt!.toISOString()}`,
          subjectId: id,
          data: JobDto.from(record),
        },
        tx,
      );
      return record;
    });
  }

  /** Removes the lease and work list of a `cancelled` job; does nothing when the lease was `lost` to another worker. */
  async abandon({ job, lease }: JobExecution): Promise<'cancelled' | 'lost'> {
    return this.transactions.run(new AbortController().signal, async (tx) => {
      if (!(await this.executions.remove(job.workspaceId, job.id, lease.owner, tx))) return 'lost';
      await this.workList.complete(job.workspaceId, job.id, tx);
      return 'cancelled';
    });
  }
}
