import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Job } from './job.entity.js';
import type { JobRef } from './jobs.repository.js';

/** The status of a job, and its error if it failed. */
export type JobState = Pick<Job, 'status' | 'errorCode' | 'errorMessage'>;

/** The schedulers' access to jobs. Schedulers serve every workspace, so each job is identified with its workspace. */
@Injectable()
export class ScheduledJobsRepository {
  async insert(jobs: readonly Job[], tx: EntityManager): Promise<void> {
    if (jobs.length > 0) await tx.insert(Job, jobs as Parameters<EntityManager['insert']>[1]);
  }

  /** The states of the existing jobs, by job id. */
  async states(jobs: readonly JobRef[], tx: EntityManager): Promise<Map<string, JobState>> {
    if (jobs.length === 0) return new Map();
    const rows = await tx.query<(JobState & { id: string })[]>(
      `SELECT job.id, job.status, job.error_code AS "errorCode", job.error_message AS "errorMessage"
       FROM unnest($1::uuid[], $2::uuid[]) AS wanted (workspace_id, id)
       JOIN jobs AS job ON job.workspace_id = wanted.workspace_id AND job.id = wanted.id`,
      [jobs.map((job) => job.workspaceId), jobs.map((job) => job.id)],
    );
    return new Map(rows.map(({ id, ...state }) => [id, state]));
  }
}
