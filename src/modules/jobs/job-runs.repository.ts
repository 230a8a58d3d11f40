import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Job, type JobProgress } from './job.entity.js';

/** What a worker may say about a job only while it holds the job's lease. Times are the database's. */
export interface JobCounters {
  postsScraped: number;
  commentsScraped: number;
  mediaDownloaded: number;
  progress: JobProgress;
}

export type JobOutcome =
  { status: 'completed' } | { status: 'failed'; errorCode: string; errorMessage: string };

/** A running scrape's side of a job: the lease that fences it, its work list, counters and end. */
@Injectable()
export class JobRunsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Takes a pending job, or a running one whose lease ended; null when there is nothing to take. */
  async claim(workspaceId: string, id: string, owner: string, leaseMs: number): Promise<Job | null> {
    const [, taken] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE jobs SET status = 'running', started_at = coalesce(started_at, clock_timestamp()),
         lease_owner = $3, lease_until = clock_timestamp() + $4 * interval '1 millisecond'
       WHERE workspace_id = $1 AND id = $2
         AND (status = 'pending' OR (status = 'running' AND lease_until < clock_timestamp()))`,
      [workspaceId, id, owner, leaseMs],
    );
    return taken === 1 ? this.dataSource.manager.findOneBy(Job, { workspaceId, id }) : null;
  }

  /** Prolongs the lease and shows how far the scrape is. False when the job was cancelled or taken over. */
  async heartbeat(
    workspaceId: string,
    id: string,
    owner: string,
    leaseMs: number,
    progress: JobProgress,
  ): Promise<boolean> {
    const [, held] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE jobs SET lease_until = clock_timestamp() + $4 * interval '1 millisecond', progress = progress || $5
       WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3 AND status = 'running'`,
      [workspaceId, id, owner, leaseMs, JSON.stringify(progress)],
    );
    return held === 1;
  }

  /** Locks the job for the rest of a batch's transaction. False when it was cancelled or taken over. */
  async lock(workspaceId: string, id: string, owner: string, tx: EntityManager): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `SELECT 1 FROM jobs WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3 AND status = 'running' FOR UPDATE`,
      [workspaceId, id, owner],
    );
    return rows.length === 1;
  }

  /** Counters and the place to go on from, in the transaction of the batch that they describe. */
  async saveBatch(
    workspaceId: string,
    id: string,
    counters: JobCounters,
    checkpoint: unknown,
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `UPDATE jobs SET posts_scraped = $3, comments_scraped = $4, media_downloaded = $5,
         progress = progress || $6, checkpoint = $7
       WHERE workspace_id = $1 AND id = $2`,
      [
        workspaceId,
        id,
        counters.postsScraped,
        counters.commentsScraped,
        counters.mediaDownloaded,
        JSON.stringify(counters.progress),
        JSON.stringify(checkpoint),
      ],
    );
  }

  /** Ends the job and empties its work list; the ended job, or null when it was cancelled or taken over. */
  async finish(
    workspaceId: string,
    id: string,
    owner: string,
    outcome: JobOutcome,
    progress: JobProgress,
    tx: EntityManager,
  ): Promise<Job | null> {
    const failure = outcome.status === 'failed' ? outcome : { errorCode: null, errorMessage: null };
    const [, ended] = await tx.query<[unknown[], number]>(
      `UPDATE jobs SET status = $4, error_code = $5, error_message = $6, progress = progress || $7,
         completed_at = clock_timestamp(), checkpoint = NULL, lease_owner = NULL, lease_until = NULL
       WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3 AND status = 'running'`,
      [
        workspaceId,
        id,
        owner,
        outcome.status,
        failure.errorCode,
        failure.errorMessage,
        JSON.stringify(progress),
      ],
    );
    if (ended !== 1) return null;
    await tx.query('DELETE FROM job_posts WHERE workspace_id = $1 AND job_id = $2', [workspaceId, id]);
    return tx.findOneBy(Job, { workspaceId, id });
  }

  /** Notes posts on the work list; returns the ids that this job had not stored before. */
  async addPosts(
    workspaceId: string,
    jobId: string,
    posts: readonly { id: string; position: number; commentsPending: boolean }[],
    tx: EntityManager,
  ): Promise<Set<string>> {
    if (posts.length === 0) return new Set();
    const added = await tx.query<{ post_id: string }[]>(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
       SELECT $1, $2, * FROM unnest($3::text[], $4::int[], $5::boolean[])
       ON CONFLICT (workspace_id, job_id, post_id) DO NOTHING RETURNING post_id`,
      [
        workspaceId,
        jobId,
        posts.map((post) => post.id),
        posts.map((post) => post.position),
        posts.map((post) => post.commentsPending),
      ],
    );
    return new Set(added.map((row) => row.post_id));
  }

  /** Posts whose comments are still to be walked, in the order of the listing. */
  async pendingTrees(
    workspaceId: string,
    jobId: string,
    limit: number,
  ): Promise<{ id: string; permalink: string }[]> {
    return this.dataSource.query(
      `SELECT job_posts.post_id AS id, posts.permalink FROM job_posts
       JOIN posts ON posts.workspace_id = job_posts.workspace_id AND posts.id = job_posts.post_id
       WHERE job_posts.workspace_id = $1 AND job_posts.job_id = $2 AND job_posts.comments_pending
       ORDER BY job_posts.position LIMIT $3`,
      [workspaceId, jobId, limit],
    );
  }

  async markTreeDone(workspaceId: string, jobId: string, postId: string, tx: EntityManager): Promise<void> {
    await tx.query(
      'UPDATE job_posts SET comments_pending = false WHERE workspace_id = $1 AND job_id = $2 AND post_id = $3',
      [workspaceId, jobId, postId],
    );
  }
}
