import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { JobRef } from '../../jobs/jobs.repository.js';
import { LOCK_UNLESS_ERASED } from '../../jobs/job-progress.repository.js';
import { TransactionRunner } from '../../../database/transaction-runner.js';
import { PostsRepository } from '../../../content/posts/posts.repository.js';
import { JobLogEntry } from '../job-log-entry.entity.js';

/** An entry before it is stored. */
export type NewLogEntry = Pick<JobLogEntry, 'at' | 'level' | 'event' | 'message' | 'details'>;

/** A log keeps its first and its newest entries; those in between are removed. */
const FIRST_KEPT = 100;
const NEWEST_KEPT = 400;

/** Stores the logs of jobs. */
@Injectable()
export class JobLogRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: TransactionRunner,
    private readonly posts: PostsRepository,
  ) {}

  /**
   * Appends entries in order, and removes those that exceed the log's length. Nothing is appended for a job that was
   * deleted, or whose target was erased, nor about posts that were. The locks make an erasure either wait for the
   * entries, which it then removes, or come first.
   */
  async append(workspaceId: string, jobId: string, entries: readonly NewLogEntry[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const job = await tx.query<unknown[]>(LOCK_UNLESS_ERASED, [workspaceId, jobId]);
      if (job.length === 0) return;
      const posts = entries.flatMap((entry) => postOf(entry) ?? []);
      const stored = posts.length === 0 ? null : await this.posts.hold(workspaceId, posts, tx);
      const kept = entries.filter((entry) => {
        const post = postOf(entry);
        return post === undefined || stored?.has(post);
      });
      await tx.query(APPEND, [workspaceId, jobId, JSON.stringify(kept)]);
    });
  }

  /** All entries, oldest first. */
  list(workspaceId: string, jobId: string): Promise<JobLogEntry[]> {
    return this.dataSource.manager.find(JobLogEntry, {
      where: { workspaceId, jobId },
      order: { seq: 'ASC' },
    });
  }

  /** Removes the entries about these posts. Reads the logs of all jobs of the workspace. */
  async forgetPosts(workspaceId: string, postIds: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(`DELETE FROM job_log WHERE workspace_id = $1 AND details->>'post_id' = ANY ($2::text[])`, [
      workspaceId,
      postIds,
    ]);
  }

  /** Removes the logs of these jobs. Crosses workspaces. */
  async removeAll(jobs: readonly JobRef[], tx: EntityManager): Promise<void> {
    await tx.query(
      `DELETE FROM job_log USING unnest($1::uuid[], $2::uuid[]) AS job (workspace_id, id)
       WHERE job_log.workspace_id = job.workspace_id AND job_log.job_id = job.id`,
      [jobs.map((job) => job.workspaceId), jobs.map((job) => job.id)],
    );
  }
}

/** The id of the post that an entry is about. */
const postOf = ({ details }: NewLogEntry): string | undefined =>
  typeof details?.post_id === 'string' ? details.post_id : undefined;

// Two executions of one job can write concurrently when a lease was lost; the later entry is dropped.
const APPEND = `
  WITH before AS (
    SELECT coalesce(max(seq), 0) AS seq FROM job_log WHERE workspace_id = $1 AND job_id = $2
  ), removed AS (
    DELETE FROM job_log WHERE workspace_id = $1 AND job_id = $2 AND seq > ${FIRST_KEPT}
      AND seq <= (SELECT seq FROM before) + jsonb_array_length($3::jsonb) - ${NEWEST_KEPT}
  )
  INSERT INTO job_log (workspace_id, job_id, seq, at, level, event, message, details)
  SELECT $1::uuid, $2::uuid, before.seq + entry.place, (entry.value->>'at')::timestamptz, entry.value->>'level',
    entry.value->>'event', entry.value->>'message', entry.value->'details'
  FROM before, jsonb_array_elements($3::jsonb) WITH ORDINALITY AS entry (value, place)
  ON CONFLICT (workspace_id, job_id, seq) DO NOTHING`;
