import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { binaryArray } from '../../database/binary-array.js';
import { queryPrepared } from '../../database/prepared-query.js';
import { Job, type JobProgress } from './job.entity.js';

export interface JobCounters {
  postsScraped: number;
  commentsScraped: number;
  mediaDownloaded: number;
}

/** A stored post in a job's work list. */
export interface WorkListPost {
  id: string;
  /** Place in the job's order. */
  position: number;
  commentsPending: boolean;
  /** Whether the workspace did not have it. */
  isNew: boolean;
}

/** What one batch adds to its job. */
export interface BatchEffect {
  /** Those that the job stored before do not count again. */
  posts?: readonly WorkListPost[];
  comments?: number;
  commentsMissing?: number;
  media?: number;
  mediaFailed?: number;
  progress?: JobProgress;
  /** Where the walk goes on; left out when the batch does not move it. */
  checkpoint?: unknown;
}

export type JobOutcome =
  { status: 'completed' } | { status: 'failed'; errorCode: string; errorMessage: string };

/** A running scrape's side of a job: the lease that fences it, its counters and its end. Times are the database's. */
@Injectable()
export class JobRunsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Takes a pending job, or a running one whose lease ended; null when there is nothing to take. A job that is not small
   * is only taken while its workspace runs fewer than `largeCap` such jobs, over all workers.
   */
  async claim(
    workspaceId: string,
    id: string,
    owner: string,
    leaseMs: number,
    largeCap: number,
  ): Promise<Job | null> {
    return this.dataSource.transaction(async (tx) => {
      // Two workers that count at the same time would both take the last place.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`claim:${workspaceId}`]);
      const [, taken] = await tx.query<[unknown[], number]>(
        `UPDATE jobs SET status = 'running', started_at = coalesce(started_at, clock_timestamp()),
         lease_owner = $3, lease_until = clock_timestamp() + $4 * interval '1 millisecond', attempts = attempts + 1
       WHERE workspace_id = $1 AND id = $2
         AND (status = 'pending' OR (status = 'running' AND lease_until < clock_timestamp()))
         AND (${isSmallSql('jobs')} OR (
           SELECT count(*) FROM jobs AS other WHERE other.workspace_id = $1 AND other.status = 'running'
             AND other.lease_until > clock_timestamp() AND NOT ${isSmallSql('other')}) < $5)`,
        [workspaceId, id, owner, leaseMs, largeCap],
      );
      return taken === 1 ? tx.findOneBy(Job, { workspaceId, id }) : null;
    });
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

  /**
   * What a batch's transaction changes of its job: work list, counters and checkpoint, if the job is still the owner's;
   * the row stays locked until the commit. Null when it was cancelled or taken over: the caller rolls back.
   */
  async saveBatch(
    workspaceId: string,
    id: string,
    owner: string,
    effect: BatchEffect,
    tx: EntityManager,
  ): Promise<JobCounters | null> {
    const {
      posts = [],
      comments = 0,
      commentsMissing = 0,
      media = 0,
      mediaFailed = 0,
      progress = {},
      checkpoint,
    } = effect;
    const [row] = await queryPrepared<JobCounters>(tx, SAVE_BATCH, [
      workspaceId,
      id,
      owner,
      binaryArray(
        'text',
        posts.map((post) => post.id),
      ),
      binaryArray(
        'integer',
        posts.map((post) => post.position),
      ),
      binaryArray(
        'boolean',
        posts.map((post) => post.commentsPending),
      ),
      binaryArray(
        'boolean',
        posts.map((post) => post.isNew),
      ),
      comments,
      media,
      commentsMissing,
      JSON.stringify(progress),
      checkpoint === undefined ? null : JSON.stringify(checkpoint),
      mediaFailed,
    ]);
    return row ?? null;
  }

  /** Gives a running job back, so that any worker can go on with it at once. */
  async release(workspaceId: string, id: string, owner: string, countAttempt: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE jobs SET lease_owner = NULL, lease_until = clock_timestamp(), attempts = attempts - $4
       WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3 AND status = 'running'`,
      [workspaceId, id, owner, countAttempt ? 0 : 1],
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
      `UPDATE jobs SET status = $4, error_code = $5, error_message = $6, completed_at = clock_timestamp(),
         checkpoint = NULL, lease_owner = NULL, lease_until = NULL,
         progress = progress || $7::jsonb || jsonb_build_object(
           'posts', posts_scraped, 'comments', comments_scraped, 'media', media_downloaded)
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

  /**
   * Since when a target's newest posts may have a gap: the start of the first job after the last whole monitor pass (or,
   * without one, after the target's first job). Jobs that are still under way or were cut short, by their limit too, read
   * the newest posts down to where they stopped, and nobody what lies between that and the posts known before. Null when
   * there was no such job.
   */
  async gapSince(job: Job): Promise<Date | null> {
    const rows = (condition: string): string => `SELECT started_at FROM jobs
      WHERE workspace_id = $1 AND target_type = $2 AND lower(target) = lower($3) AND id <> $4 AND ${condition}`;
    const whole = `mode = 'monitor' AND status = 'completed' AND progress->>'stop_reason' <> 'limit'`;
    const [row] = await this.dataSource.query<{ started_at: Date | null }[]>(
      `SELECT min(started_at) AS started_at FROM (${rows('posts_scraped > 0')}) AS later
       WHERE started_at > coalesce((${rows(whole)} ORDER BY created_at DESC LIMIT 1),
         (${rows('posts_scraped > 0')} ORDER BY created_at LIMIT 1))`,
      [job.workspaceId, job.targetType, job.target, job.id],
    );
    return row?.started_at ?? null;
  }

  /**
   * Jobs that no worker has: pending ones, and running ones whose lease ended. Small ones first, then workspaces take
   * turns, each with its oldest first. The one read over all workspaces: who repairs does not know them.
   */
  async orphans(limit: number): Promise<OrphanJob[]> {
    return this.dataSource.query(
      `SELECT workspace_id AS "workspaceId", id, extract(epoch FROM lease_until)::text AS "leaseEnd"
       FROM jobs WHERE status = 'pending' OR (status = 'running' AND lease_until < clock_timestamp())
       ORDER BY ${isSmallSql('jobs')} DESC,
         row_number() OVER (PARTITION BY workspace_id, ${isSmallSql('jobs')} ORDER BY created_at), created_at
       LIMIT $1`,
      [limit],
    );
  }
}

const SAVE_BATCH = {
  name: 'save_batch',
  text: `
    WITH listed AS (
      INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, is_new)
      SELECT $1::uuid, $2::uuid, unnest($4::text[]), unnest($5::integer[]), unnest($6::boolean[]),
        unnest($7::boolean[])
      ON CONFLICT (workspace_id, job_id, post_id) DO NOTHING RETURNING 1
    ), added AS (SELECT count(*)::int AS posts FROM listed)
    UPDATE jobs SET
      posts_scraped = posts_scraped + added.posts, comments_scraped = comments_scraped + $8,
      media_downloaded = media_downloaded + $9, checkpoint = coalesce($12::jsonb, checkpoint), attempts = 0,
      progress = progress || $11::jsonb || jsonb_build_object('posts', posts_scraped + added.posts,
          'comments', comments_scraped + $8, 'media', media_downloaded + $9)
        || CASE WHEN $10::int = 0 THEN '{}' ELSE jsonb_build_object(
          'comments_missing', coalesce((progress->>'comments_missing')::int, 0) + $10) END
        || CASE WHEN $13::int = 0 THEN '{}' ELSE jsonb_build_object(
          'media_failed', coalesce((progress->>'media_failed')::int, 0) + $13) END
    FROM added WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3 AND status = 'running'
    RETURNING posts_scraped AS "postsScraped", comments_scraped AS "commentsScraped",
      media_downloaded AS "mediaDownloaded"`,
};

/** Posts up to which a job counts as small; small jobs and monitor passes go first. */
export const SMALL_JOB_POSTS = 100;

export function isSmall(job: Pick<Job, 'mode' | 'postLimit'>): boolean {
  return job.mode === 'monitor' || job.postLimit <= SMALL_JOB_POSTS;
}

function isSmallSql(alias: string): string {
  return `(${alias}.mode = 'monitor' OR ${alias}.post_limit <= ${SMALL_JOB_POSTS})`;
}

export interface OrphanJob {
  workspaceId: string;
  id: string;
  /** When the last lease ended; null for a job that never had one. */
  leaseEnd: string | null;
}
