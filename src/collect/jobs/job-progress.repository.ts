import { SOURCES } from '../../platforms/registry.js';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ERASED_TARGET, FINAL_COUNTS, Job, LASTING_PROGRESS } from './job.entity.js';
import { type JobProgress } from './dto/job-progress.dto.js';

/** The amounts that one batch adds to its job's counters, as SQL expressions; absent ones add nothing. */
export interface CounterGains {
  posts?: string;
  /** How many of `posts` the workspace did not have before. */
  newPosts?: string;
  comments?: string;
  commentsMissing?: string;
  media?: string;
  mediaFailed?: string;
  /** A `jsonb` object that is merged into the job's progress. */
  progress?: string;
}

/**
 * Returns a statement that adds to the counters of a running job (workspace `$1`, id `$2`). Use it as a CTE of the
 * statement that stores a batch: a separate statement would cost every batch a round trip. It returns one row, or none
 * when the job is not running, and keeps the job's row locked until the commit.
 */
export function addCountersSql(gains: CounterGains): string {
  const {
    posts = '0',
    newPosts,
    comments = '0',
    commentsMissing = '0',
    media = '0',
    mediaFailed = '0',
  } = gains;
  return `
    UPDATE jobs SET posts_scraped = posts_scraped + gain.posts, comments_scraped = comments_scraped + gain.comments,
      media_downloaded = media_downloaded + gain.media,
      progress = progress || ${gains.progress ?? `'{}'::jsonb`} || jsonb_build_object('posts', posts_scraped + gain.posts,
          'comments', comments_scraped + gain.comments, 'media', media_downloaded + gain.media)
${newPosts === undefined ? '' : NEW_POSTS}
        || CASE WHEN gain.comments_missing = 0 THEN '{}' ELSE jsonb_build_object(
          'comments_missing', coalesce((progress->>'comments_missing')::int, 0) + gain.comments_missing) END
        || CASE WHEN gain.media_failed = 0 THEN '{}' ELSE jsonb_build_object(
          'media_failed', coalesce((progress->>'media_failed')::int, 0) + gain.media_failed) END
    FROM (SELECT (${posts})::int AS posts, (${comments})::int AS comments, (${media})::int AS media, (${newPosts ?? '0'})::int AS new_posts,
      (${commentsMissing})::int AS comments_missing, (${mediaFailed})::int AS media_failed) AS gain
    WHERE workspace_id = $1 AND id = $2 AND status = 'running' RETURNING 1`;
}

const NEW_POSTS = `
        || jsonb_build_object('posts_new', coalesce((progress->>'posts_new')::int, 0) + gain.new_posts)`;

/** SQL that locks the job with the id `$2` of the workspace `$1` against an erasure; no row if its target was erased. */
export const LOCK_UNLESS_ERASED = `SELECT id FROM jobs WHERE workspace_id = $1 AND id = $2 AND target <> '${ERASED_TARGET}' FOR SHARE`;

/** How a job ends. */
export type JobOutcome =
  { status: 'completed' } | { status: 'failed'; errorCode: string; errorMessage: string };

/**
 * Updates a job's row during its execution, apart from the counters that batches add to. Every update requires the job
 * to be running, so that a cancel stops them all.
 */
@Injectable()
export class JobProgressRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The job if it is running. */
  findRunning(workspaceId: string, id: string, tx: EntityManager): Promise<Job | null> {
    return tx.findOneBy(Job, { workspaceId, id, status: 'running' });
  }

  /**
   * Merges the values that batches do not count into the progress, and removes those that held only at the last call. False when
   * the job is not running.
   */
  async addProgress(workspaceId: string, id: string, progress: JobProgress): Promise<boolean> {
    const [, updated] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE jobs SET progress = ${LASTING_PROGRESS} || $3 WHERE workspace_id = $1 AND id = $2 AND status = 'running'`,
      [workspaceId, id, JSON.stringify(progress)],
    );
    return updated === 1;
  }

  /** Ends the job; the ended job, or null when it is not running. */
  async complete(
    workspaceId: string,
    id: string,
    outcome: JobOutcome,
    progress: JobProgress,
    tx: EntityManager,
  ): Promise<Job | null> {
    const failure = outcome.status === 'failed' ? outcome : { errorCode: null, errorMessage: null };
    const [, ended] = await tx.query<[unknown[], number]>(
      `UPDATE jobs SET status = $3, error_code = $4, error_message = $5, completed_at = clock_timestamp(),
         progress = ${LASTING_PROGRESS} || $6::jsonb || ${FINAL_COUNTS}
       WHERE workspace_id = $1 AND id = $2 AND status = 'running'`,
      [workspaceId, id, outcome.status, failure.errorCode, failure.errorMessage, JSON.stringify(progress)],
    );
    return ended === 1 ? tx.findOneBy(Job, { workspaceId, id }) : null;
  }

  /**
   * What earlier jobs have read of a target; both are database times.
   * - `gapStart`: since when there may be a gap in its stored posts, the start of the first job after the last complete
   *   monitor pass, or after the target's first job if there was no such pass. A job that is still running or was cut
   *   short, even by its limit, reads the newest posts only down to the position where it stopped. It leaves unread posts
   *   between that position and those stored before. Null without such a job.
   * - `since`: the start of the last complete monitor pass that read all comments that this job needs; null without one.
   */
  async findEarlierReads(job: Job): Promise<{ gapStart: Date | null; since: Date | null }> {
    const jobs = (condition: string): string =>
      `SELECT started_at FROM jobs WHERE ${OTHER_JOBS} AND ${condition}`;
    const whole = `mode = 'monitor' AND status = 'completed' AND progress->>'stop_reason' <> 'limit'`;
    const withComments = `(scrape_comments OR NOT $6) AND coalesce((progress->>'comments_missing')::int, 0) = 0`;
    const [row] = await this.dataSource.query<{ gapStart: Date | null; since: Date | null }[]>(
      `WITH complete_until AS (SELECT coalesce(
         (${jobs(whole)} ORDER BY started_at DESC LIMIT 1),
         (${jobs('posts_scraped > 0')} ORDER BY started_at LIMIT 1)) AS started_at)
       SELECT (${jobs('posts_scraped > 0 AND started_at > (SELECT started_at FROM complete_until)')}
         ORDER BY started_at LIMIT 1) AS "gapStart",
         (${jobs(`${whole} AND ${withComments}`)} ORDER BY started_at DESC LIMIT 1) AS since`,
      [...otherJobs(job), job.scrapeComments],
    );
    return row!;
  }

  /** The id of the last other job on a job's target that stored posts; null without one. */
  async findLast(job: Job): Promise<string | null> {
    const [row] = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM jobs WHERE ${OTHER_JOBS} AND posts_scraped > 0 ORDER BY started_at DESC LIMIT 1`,
      otherJobs(job),
    );
    return row?.id ?? null;
  }
}

/** SQL: the started jobs on a job's target except itself; see {@link otherJobs}. */
const OTHER_JOBS = `workspace_id = $1
      AND target_type = $2 AND lower(target) = lower($3) AND ($5 OR target = $3) AND id <> $4 AND started_at IS NOT NULL`;

/** The parameters of {@link OTHER_JOBS}. */
const otherJobs = ({ workspaceId, targetType, target, id }: Job): unknown[] => [
  workspaceId,
  targetType,
  target,
  id,
  !SOURCES.isCaseSensitive({ type: targetType, name: target }),
];
