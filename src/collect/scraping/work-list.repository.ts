import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { binaryArray } from '../../database/binary-array.js';
import { queryPrepared } from '../../database/prepared-query.js';
import type { JobRef } from '../jobs/jobs.repository.js';
import { type PendingMedia, urlHash } from '../../content/media/media.repository.js';
import { addCountersSql } from '../jobs/job-progress.repository.js';
import type { ListingCheckpoint } from './listing-checkpoint.js';

/** A stored post in a job's work list. */
export interface WorkListPost {
  id: string;
  /** Position in the job's order, from 0. */
  position: number;
  commentsPending: boolean;
  /** Phrase hashes of a post that was new to the workspace, else null. */
  phraseKeys: Buffer | null;
}

/** The part of a post batch that the work list needs. */
export interface WorkListBatch {
  posts: readonly WorkListPost[];
  media: readonly PendingMedia[];
  /** Where the listing continues after this batch. */
  checkpoint: ListingCheckpoint;
}

/** Progress of the walk of one comment tree. */
export interface TreeProgress {
  postId: string;
  /** Comments of this walk that are stored, including this batch. */
  comments: number;
  missing: number;
  done: boolean;
}

/**
 * The work list of a running job: the posts it has stored, and the comment trees and media files that it still has to
 * fetch. Methods with an owner parameter also update the job's counters. They return false when the job is not running
 * or the owner has lost its lease (the fence), and the caller rolls back. They keep the rows of the execution and the
 * job locked until the commit.
 */
@Injectable()
export class WorkListRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Adds a batch's posts and media with the checkpoint after them. Posts and media that are already listed stay
   * unchanged and do not count.
   */
  addPosts(
    workspaceId: string,
    jobId: string,
    owner: string,
    { posts, media, checkpoint }: WorkListBatch,
    tx: EntityManager,
  ): Promise<boolean> {
    const text = (values: (string | null)[]) => binaryArray('text', values);
    const { stopReason } = checkpoint;
    return isStored(tx, ADD_POSTS, [
      workspaceId,
      jobId,
      owner,
      JSON.stringify(checkpoint),
      text(posts.map((post) => post.id)),
      binaryArray(
        'integer',
        posts.map((post) => post.position),
      ),
      binaryArray(
        'boolean',
        posts.map((post) => post.commentsPending),
      ),
      binaryArray(
        'bytea',
        posts.map((post) => post.phraseKeys),
      ),
      text(media.map((medium) => medium.postId)),
      text(media.map((medium) => medium.url)),
      binaryArray(
        'bytea',
        media.map((medium) => urlHash(medium.url)),
      ),
      text(media.map(({ audioUrls }) => (audioUrls.length > 0 ? audioUrls.join('\n') : null))),
      text(media.map((medium) => medium.fallbackUrl)),
      JSON.stringify(stopReason === null ? {} : { stop_reason: stopReason }),
    ]);
  }

  /**
   * Records the progress of trees; each tree occurs at most once per call. A tree that is walked again after a crash
   * counts only the comments beyond those it counted before, and at its end exactly those it contains. A finished tree
   * counts nothing more.
   */
  saveTrees(
    workspaceId: string,
    jobId: string,
    owner: string,
    trees: readonly TreeProgress[],
    tx: EntityManager,
  ): Promise<boolean> {
    return isStored(tx, SAVE_TREES, [
      workspaceId,
      jobId,
      owner,
      trees.map((tree) => tree.postId),
      trees.map((tree) => tree.comments),
      trees.map((tree) => tree.missing),
      trees.map((tree) => tree.done),
    ]);
  }

  /**
   * Completes one download, with the size of the file in bytes or null when there is none. A download that is already
   * complete does not count.
   */
  completeMedia(
    workspaceId: string,
    jobId: string,
    owner: string,
    { postId, url }: PendingMedia,
    bytes: number | null,
    tx: EntityManager,
  ): Promise<boolean> {
    return isStored(tx, COMPLETE_MEDIA, [workspaceId, jobId, owner, postId, urlHash(url), bytes]);
  }

  /** Ids of all posts that the job stored, even after it has ended. */
  async storedPosts(workspaceId: string, jobId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT post_id AS id FROM job_posts WHERE workspace_id = $1 AND job_id = $2
       UNION ALL SELECT unnest(post_ids) FROM job_stored_posts WHERE workspace_id = $1 AND job_id = $2`,
      [workspaceId, jobId],
    );
    return rows.map(({ id }) => id);
  }

  /** Ids of posts whose comments still have to be read. */
  async pendingTrees(workspaceId: string, jobId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT post_id AS id FROM job_posts WHERE workspace_id = $1 AND job_id = $2 AND comments_pending
       ORDER BY position`,
      [workspaceId, jobId],
    );
    return rows.map(({ id }) => id);
  }

  /** Files that still have to be downloaded. */
  pendingMedia(workspaceId: string, jobId: string): Promise<PendingMedia[]> {
    return this.dataSource.query(
      `SELECT post_id AS "postId", url, coalesce(string_to_array(audio_url, E'\\n'), '{}') AS "audioUrls",
         fallback_url AS "fallbackUrl" FROM job_media
       WHERE workspace_id = $1 AND job_id = $2 AND pending ORDER BY post_id, url`,
      [workspaceId, jobId],
    );
  }

  /** Bytes that the job has downloaded so far. */
  async downloadedBytes(workspaceId: string, jobId: string): Promise<number> {
    const [{ bytes }] = await this.dataSource.query<[{ bytes: number }]>(
      'SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM job_media WHERE workspace_id = $1 AND job_id = $2',
      [workspaceId, jobId],
    );
    return bytes;
  }

  /**
   * Phrase hashes of up to `limit` posts that were new to the workspace, ordered by id and starting after the given id.
   */
  phraseKeys(
    workspaceId: string,
    jobId: string,
    after: string,
    limit: number,
  ): Promise<{ id: string; keys: Buffer }[]> {
    return this.dataSource.query(
      `SELECT post_id AS id, phrase_keys AS keys FROM job_posts
       WHERE workspace_id = $1 AND job_id = $2 AND phrase_keys IS NOT NULL AND post_id > $3
       ORDER BY post_id LIMIT $4`,
      [workspaceId, jobId, after, limit],
    );
  }

  /** Clears the work list of an ended job, and keeps the ids of its posts. */
  async complete(workspaceId: string, jobId: string, tx: EntityManager): Promise<void> {
    await tx.query(
      `WITH removed AS (
         DELETE FROM job_posts WHERE workspace_id = $1 AND job_id = $2 RETURNING post_id, position
       )
       INSERT INTO job_stored_posts (workspace_id, job_id, post_ids)
       SELECT $1::uuid, $2::uuid, array_agg(post_id ORDER BY position) FROM removed HAVING count(*) > 0
       ON CONFLICT (workspace_id, job_id) DO UPDATE SET post_ids = job_stored_posts.post_ids || excluded.post_ids`,
      [workspaceId, jobId],
    );
  }

  /** Removes posts from the work lists of running jobs, with their files. */
  async removePosts(workspaceId: string, postIds: readonly string[], tx: EntityManager): Promise<void> {
    for (const table of ['job_media', 'job_posts'])
      await tx.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND post_id = ANY ($2)`, [
        workspaceId,
        postIds,
      ]);
  }

  /** Removes posts from the lists of jobs. Reads the lists of all jobs of the workspace. */
  async forgetStored(workspaceId: string, postIds: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE job_stored_posts
       SET post_ids = ARRAY(SELECT id FROM unnest(post_ids) WITH ORDINALITY AS stored (id, place)
         WHERE id <> ALL ($2) ORDER BY place)
       WHERE workspace_id = $1 AND post_ids && $2::text[]`,
      [workspaceId, postIds],
    );
  }

  /** Removes everything stored for these jobs. Crosses workspaces. */
  async removeAll(jobs: readonly JobRef[], tx: EntityManager): Promise<void> {
    for (const table of ['job_posts', 'job_stored_posts'])
      await tx.query(
        `DELETE FROM ${table} USING unnest($1::uuid[], $2::uuid[]) AS job (workspace_id, id)
         WHERE ${table}.workspace_id = job.workspace_id AND ${table}.job_id = job.id`,
        [jobs.map((job) => job.workspaceId), jobs.map((job) => job.id)],
      );
  }
}

async function isStored(
  tx: EntityManager,
  statement: { name: string; text: string },
  values: unknown[],
): Promise<boolean> {
  const [row] = await queryPrepared<{ isStored: boolean }>(tx, statement, values);
  return row!.isStored;
}

const HELD = `
      UPDATE job_executions SET attempts = 0
      WHERE workspace_id = $1 AND job_id = $2 AND lease_owner = $3 RETURNING 1`;
const IS_STORED = `SELECT EXISTS (SELECT 1 FROM held) AND EXISTS (SELECT 1 FROM counted) AS "isStored"`;

const ADD_POSTS = {
  name: 'add_job_posts',
  text: `
    WITH held AS (
      UPDATE job_executions SET attempts = 0, checkpoint = $4::jsonb
      WHERE workspace_id = $1 AND job_id = $2 AND lease_owner = $3 RETURNING 1
    ), added AS (
      INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, phrase_keys)
      SELECT $1::uuid, $2::uuid, unnest($5::text[]), unnest($6::integer[]), unnest($7::boolean[]),
        unnest($8::bytea[])
      ON CONFLICT (workspace_id, job_id, post_id) DO NOTHING RETURNING phrase_keys
    ), media AS (
      INSERT INTO job_media (workspace_id, job_id, post_id, url, url_hash, audio_url, fallback_url)
      SELECT $1::uuid, $2::uuid, unnest($9::text[]), unnest($10::text[]), unnest($11::bytea[]), unnest($12::text[]),
        unnest($13::text[])
      ON CONFLICT (workspace_id, job_id, post_id, url_hash) DO NOTHING
    ), counted AS (${addCountersSql({
      posts: 'SELECT count(*) FROM added',
      newPosts: 'SELECT count(phrase_keys) FROM added',
      progress: '$14::jsonb',
    })}
    ) ${IS_STORED}`,
};

const SAVE_TREES = {
  name: 'save_job_trees',
  text: `
    WITH held AS (${HELD}
    ), saved AS (
      UPDATE job_posts AS post SET
        comments = CASE WHEN tree.done THEN tree.comments ELSE greatest(before.comments, tree.comments) END,
        comments_pending = NOT tree.done
      FROM unnest($4::text[], $5::int[], $6::int[], $7::boolean[]) AS tree (post_id, comments, missing, done)
      JOIN job_posts AS before
        ON before.workspace_id = $1 AND before.job_id = $2 AND before.post_id = tree.post_id
      WHERE post.workspace_id = $1 AND post.job_id = $2 AND post.post_id = tree.post_id AND post.comments_pending
      RETURNING post.comments - before.comments AS gain, CASE WHEN tree.done THEN tree.missing ELSE 0 END AS missing
    ), counted AS (${addCountersSql({
      comments: 'SELECT coalesce(sum(saved.gain), 0) FROM saved',
      commentsMissing: 'SELECT coalesce(sum(saved.missing), 0) FROM saved',
    })}
    ) ${IS_STORED}`,
};

const COMPLETE_MEDIA = {
  name: 'complete_job_media',
  text: `
    WITH held AS (${HELD}
    ), completed AS (
      UPDATE job_media SET pending = false, bytes = coalesce($6::bigint, 0)
      WHERE workspace_id = $1 AND job_id = $2 AND post_id = $4 AND url_hash = $5 AND pending RETURNING 1
    ), counted AS (${addCountersSql({
      media: 'SELECT count(*) FROM completed WHERE $6::bigint IS NOT NULL',
      mediaFailed: 'SELECT count(*) FROM completed WHERE $6::bigint IS NULL',
    })}
    ) ${IS_STORED}`,
};
