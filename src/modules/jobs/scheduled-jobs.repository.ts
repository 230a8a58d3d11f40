import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Job, type JobStatus } from './job.entity.js';

/** Identifies a job. */
export interface JobRef {
  workspaceId: string;
  id: string;
}

/** How a job stands, and with which error it failed. */
export interface JobOutcome {
  status: JobStatus;
  errorCode: string | null;
  errorMessage: string | null;
}

/** The schedulers' access to jobs. Schedulers serve every workspace, so each job is named with its workspace. */
@Injectable()
export class ScheduledJobsRepository {
  async insert(jobs: readonly Job[], tx: EntityManager): Promise<void> {
    if (jobs.length > 0) await tx.insert(Job, jobs as Parameters<EntityManager['insert']>[1]);
  }

  /** The outcomes of those of the jobs that exist, by job id. */
  async outcomes(jobs: readonly JobRef[], tx: EntityManager): Promise<Map<string, JobOutcome>> {
    if (jobs.length === 0) return new Map();
    const rows = await tx.query<
      { id: string; status: JobStatus; error_code: string | null; error_message: string | null }[]
    >(
      `SELECT job.id, job.status, job.error_code, job.error_message
       FROM unnest($1::uuid[], $2::uuid[]) AS wanted (workspace_id, id)
       JOIN jobs AS job ON job.workspace_id = wanted.workspace_id AND job.id = wanted.id`,
      [jobs.map((job) => job.workspaceId), jobs.map((job) => job.id)],
    );
    return new Map(
      rows.map((row) => [
        row.id,
        { status: row.status, errorCode: row.error_code, errorMessage: row.error_message },
      ]),
    );
  }
}
