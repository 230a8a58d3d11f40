import type { Unread } from '../../tenants/ports/report-inputs.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, In, Raw, type Repository } from 'typeorm';
import { type Backlog, backlogColumns } from '../../database/backlog.js';
import type { Target } from '../../platforms/platform.js';
import { SOURCES } from '../../platforms/registry.js';
import type { EndedJobsDto } from './dto/ended-jobs.dto.js';
import {
  ERASED_TARGET,
  FINAL_COUNTS,
  FINAL_JOB_STATUSES,
  Job,
  type JobStatus,
  LASTING_PROGRESS,
  type ScrapeMode,
  unstarted,
} from './job.entity.js';

/** Filters of a list of jobs. */
export interface JobFilter {
  status?: JobStatus;
  mode?: ScrapeMode;
  /** Jobs of any of these. */
  targets?: readonly Target[];
}

/** SQL for the beginning of the first of the last 24 clock hours. */
const FIRST_HOUR = `date_trunc('hour', now(), 'UTC') - interval '23 hours'`;

/** Identifies a job. */
export type JobRef = Pick<Job, 'workspaceId' | 'id'>;

/** Jobs as their workspace sees them. {@link JobProgressRepository} makes the changes of their execution. */
@Injectable()
export class JobsRepository {
  constructor(@InjectRepository(Job) private readonly jobs: Repository<Job>) {}

  async insert(job: Job, tx: EntityManager = this.jobs.manager): Promise<void> {
    await tx.insert(Job, job as Parameters<EntityManager['insert']>[1]);
  }

  countPending(workspaceId: string, tx: EntityManager = this.jobs.manager): Promise<number> {
    return tx.countBy(Job, { workspaceId, status: 'pending' });
  }

  find(workspaceId: string, id: string): Promise<Job | null> {
    return this.jobs.findOneBy({ workspaceId, id });
  }

  /** The existing jobs among these ids, in no particular order. */
  findAll(workspaceId: string, ids: readonly string[]): Promise<Job[]> {
    return this.jobs.findBy({ workspaceId, id: In([...ids]) });
  }

  /** Newest first, with the total number of matching jobs. */
  list(
    workspaceId: string,
    { status, mode, targets }: JobFilter,
    page: { limit: number; offset: number },
  ): Promise<[Job[], number]> {
    const own = {
      workspaceId,
      ...(status !== undefined && { status }),
      ...(mode !== undefined && { mode }),
    };
    if (targets?.length === 0) return Promise.resolve([[], 0]);
    return this.jobs.findAndCount({
      where: targets?.map((target) => ({ ...own, ...isTarget(target) })) ?? own,
      order: { createdAt: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
  }

  /** The targets whose last job that ended between two times failed, and why; at most 100. */
  async unreadTargets(workspaceId: string, from: Date, to: Date): Promise<Unread[]> {
    const rows = await this.jobs.query<{ target: string; code: string | null; message: string | null }[]>(
      `SELECT target, code, message FROM (
         SELECT DISTINCT ON (target) target, status, error_code AS code, error_message AS message FROM jobs
         WHERE workspace_id = $1 AND status IN ('completed', 'failed') AND completed_at >= $2 AND completed_at < $3
         ORDER BY target, completed_at DESC
       ) AS last WHERE status = 'failed' ORDER BY target LIMIT 100`,
      [workspaceId, from, to],
    );
    return rows.map(({ target, code, message }) => ({
      source: target,
      reason: message ?? code ?? 'The job failed.',
    }));
  }

  /** The backlog of pending jobs, except those of `exceptWorkspaces`. Crosses workspaces. */
  async backlog(exceptWorkspaces: readonly string[]): Promise<Backlog> {
    const [row] = await this.jobs.query<[Backlog]>(
      `SELECT ${backlogColumns('created_at')} FROM jobs WHERE status = 'pending' AND workspace_id <> ALL ($1::uuid[])`,
      [exceptWorkspaces],
    );
    return row;
  }

  /**
   * Jobs that ended in each of the last 24 clock hours in UTC, oldest first, counting the newest `limit` jobs. Crosses
   * workspaces.
   */
  endedByHour(limit: number): Promise<EndedJobsDto[]> {
    return this.jobs.query<EndedJobsDto[]>(
      `SELECT hours.hour, coalesce(completed, 0) AS completed, coalesce(failed, 0) AS failed,
              coalesce(cancelled, 0) AS cancelled, coalesce(posts, 0) AS posts, coalesce(comments, 0) AS comments
       FROM generate_series(${FIRST_HOUR}, now(), interval '1 hour') AS hours (hour)
       LEFT JOIN (
         SELECT date_trunc('hour', completed_at, 'UTC') AS hour,
                count(*) FILTER (WHERE status = 'completed')::integer AS completed,
                count(*) FILTER (WHERE status = 'failed')::integer AS failed,
                count(*) FILTER (WHERE status = 'cancelled')::integer AS cancelled,
                sum(posts_scraped)::float8 AS posts, sum(comments_scraped)::float8 AS comments
         FROM (
           SELECT completed_at, status, posts_scraped, comments_scraped FROM jobs
           WHERE completed_at >= ${FIRST_HOUR} ORDER BY completed_at DESC LIMIT $1
         ) AS newest
         GROUP BY 1
       ) AS ended ON ended.hour = hours.hour
       ORDER BY hours.hour`,
      [limit],
    );
  }

  /** The jobs that failed last within 24 hours, newest first. Crosses workspaces. */
  newestFailed(limit: number): Promise<Job[]> {
    return this.jobs.find({
      where: {
        status: 'failed',
        completedAt: Raw((column) => `${column} > now() - interval '24 hours'`),
      },
      order: { completedAt: 'DESC', id: 'DESC' },
      take: limit,
    });
  }

  /** The job with this id; null when there is none. Crosses workspaces. */
  findById(id: string): Promise<Job | null> {
    return this.jobs.findOneBy({ id });
  }

  /** The existing jobs among these, by id. */
  async findEach(refs: readonly JobRef[]): Promise<Map<string, Job>> {
    // TypeORM treats an empty list of conditions as no condition, and would return every job.
    if (refs.length === 0) return new Map();
    const jobs = await this.jobs.findBy(refs.map(({ workspaceId, id }) => ({ workspaceId, id })));
    return new Map(jobs.map((job) => [job.id, job]));
  }

  /**
   * Resets an ended job to its initial state; the posts, comments and media that it stored remain. Null when the job
   * has not ended.
   */
  async putBack(workspaceId: string, id: string, tx: EntityManager): Promise<Job | null> {
    const { affected } = await tx.update(
      Job,
      { workspaceId, id, status: In([...FINAL_JOB_STATUSES]) },
      unstarted(),
    );
    return affected === 1 ? tx.findOneBy(Job, { workspaceId, id }) : null;
  }

  /** The creation time of the newest job of each workspace; workspaces without jobs are omitted. Crosses workspaces. */
  async newestTimes(workspaceIds: readonly string[]): Promise<Map<string, Date>> {
    const rows = await this.jobs.query<{ workspaceId: string; createdAt: Date }[]>(
      `SELECT workspace.id AS "workspaceId", newest.created_at AS "createdAt" FROM unnest($1::uuid[]) AS workspace (id)
       CROSS JOIN LATERAL (
         SELECT created_at FROM jobs WHERE workspace_id = workspace.id ORDER BY created_at DESC LIMIT 1
       ) AS newest`,
      [workspaceIds],
    );
    return new Map(rows.map(({ workspaceId, createdAt }) => [workspaceId, createdAt]));
  }

  /**
   * Cancels a job; its execution stops at the next batch or heartbeat and removes its lease and work list. False when
   * the job is neither pending nor running.
   */
  async cancel(workspaceId: string, id: string): Promise<boolean> {
    const result = await this.jobs.update({ workspaceId, id, status: In(['pending', 'running']) }, CANCELLED);
    return result.affected === 1;
  }

  /** Like {@link cancel}, for every pending and running job of the workspace. */
  async cancelAll(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.update(Job, { workspaceId, status: In(['pending', 'running']) }, CANCELLED);
  }

  /** The different targets of all jobs of users. */
  async listUsers(workspaceId: string): Promise<string[]> {
    const rows = await this.jobs.query<{ target: string }[]>(
      `SELECT DISTINCT target FROM jobs WHERE workspace_id = $1 AND target_type = 'user'`,
      [workspaceId],
    );
    return rows.map(({ target }) => target);
  }

  /** Cancels the unfinished jobs of users and removes their names from all of them; returns the ids of the jobs. */
  async eraseUsers(workspaceId: string, targets: readonly string[], tx: EntityManager): Promise<string[]> {
    const where = { workspaceId, targetType: 'user' as const, target: In([...targets]) };
    await tx.update(Job, { ...where, status: In(['pending', 'running']) }, CANCELLED);
    const [jobs] = await tx.query<[{ id: string }[], number]>(
      `UPDATE jobs SET target = $3, error_message = NULL
       WHERE workspace_id = $1 AND target_type = 'user' AND target = ANY ($2) RETURNING id`,
      [workspaceId, targets, ERASED_TARGET],
    );
    return jobs.map(({ id }) => id);
  }

  /**
   * Deletes up to `limit` jobs that ended more than `days` days ago, oldest first. Crosses workspaces; several
   * processes may delete concurrently.
   */
  async deleteEnded(days: number, limit: number, tx: EntityManager): Promise<JobRef[]> {
    const [jobs] = await tx.query<[JobRef[], number]>(
      `WITH old AS MATERIALIZED (
         SELECT workspace_id, id FROM jobs WHERE completed_at < clock_timestamp() - $1 * interval '1 day'
         ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM jobs USING old WHERE jobs.workspace_id = old.workspace_id AND jobs.id = old.id
       RETURNING jobs.workspace_id AS "workspaceId", jobs.id`,
      [days, limit],
    );
    return jobs;
  }

  /**
   * Deletes up to `limit` of the workspace's jobs that ended before a time; skips those locked by another transaction.
   */
  async deleteEndedBefore(
    workspaceId: string,
    before: Date,
    limit: number,
    tx: EntityManager,
  ): Promise<JobRef[]> {
    const [jobs] = await tx.query<[JobRef[], number]>(
      `DELETE FROM jobs WHERE workspace_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM jobs WHERE workspace_id = $1 AND completed_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED))
       RETURNING workspace_id AS "workspaceId", id`,
      [workspaceId, before, limit],
    );
    return jobs;
  }
}

function isTarget({ type, name }: Target): FindOptionsWhere<Job> {
  const isCaseSensitive = SOURCES.isCaseSensitive({ type, name });
  const parameter = `target_${type}`;
  return {
    targetType: type,
    target: Raw(
      (column) =>
        `lower(${column}) = lower(:${parameter})${isCaseSensitive ? ` AND ${column} = :${parameter}` : ''}`,
      { [parameter]: name },
    ),
  };
}

/** The columns that a cancel sets. */
const CANCELLED = {
  status: 'cancelled' as const,
  completedAt: () => 'clock_timestamp()',
  progress: () => `${LASTING_PROGRESS} || ${FINAL_COUNTS}`,
};
