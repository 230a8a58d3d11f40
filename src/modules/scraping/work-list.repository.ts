import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { binaryArray } from '../../database/binary-array.js';
import { queryPrepared } from '../../database/prepared-query.js';
import type { PendingMedia } from '../media/media.repository.js';
import { urlHash } from '../media/url-hash.js';

/** A stored post in a job's work list. */
export interface WorkListPost {
  id: string;
  /** Place in the job's order, from 0. */
  position: number;
  commentsPending: boolean;
  /** Phrase hashes of a post that was new to the workspace, else null. */
  phraseKeys: Buffer | null;
}

/** How far the walk of one comment tree is. */
export interface TreeProgress {
  postId: string;
  /** Comments of this walk that are stored with or before this batch. */
  comments: number;
  missing: number;
  done: boolean;
}

/** What the trees of a batch add to the job's counters. */
export interface TreeGain {
  comments: number;
  missing: number;
}

/**
 * The work list of a running job: posts it stored, comment trees and media files still to be fetched. Each method that
 * takes an owner writes only while that owner holds the job's lease (the fence) and keeps the execution's row locked until
 * the commit; a result of null means that the lease is lost and the transaction must be rolled back.
 */
@Injectable()
export class WorkListRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Adds a batch's posts and media with the checkpoint behind it; posts and media that are listed already stay as they are.
   * Returns the number of posts that were not listed before.
   */
  async addPosts(
    workspaceId: string,
    jobId: string,
    owner: string,
    batch: { posts: readonly WorkListPost[]; media: readonly PendingMedia[]; checkpoint: object },
    tx: EntityManager,
  ): Promise<number | null> {
    const { posts, media, checkpoint } = batch;
    const text = (values: (string | null)[]) => binaryArray('text', values);
    const [row] = await queryPrepared<{ held: number; added: number }>(tx, ADD_POSTS, [
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
      text(media.map((medium) => medium.audioUrl)),
    ]);
    return row!.held === 1 ? row!.added : null;
  }

  /**
   * Records how far trees are; each tree at most once a call. A tree that is walked again after a crash counts only what
   * goes beyond what it counted before, and at its end exactly what it holds; a finished tree counts nothing more.
   */
  async saveTrees(
    workspaceId: string,
    jobId: string,
    owner: string,
    trees: readonly TreeProgress[],
    tx: EntityManager,
  ): Promise<TreeGain | null> {
    const [row] = await queryPrepared<TreeGain & { held: number }>(tx, SAVE_TREES, [
      workspaceId,
      jobId,
      owner,
      trees.map((tree) => tree.postId),
      trees.map((tree) => tree.comments),
      trees.map((tree) => tree.missing),
      trees.map((tree) => tree.done),
    ]);
    return row!.held === 1 ? { comments: row!.comments, missing: row!.missing } : null;
  }

  /** Ends one download; `bytes` is 0 when there is no file. Returns whether the job had not ended it before. */
  async completeMedia(
    workspaceId: string,
    jobId: string,
    owner: string,
    { postId, url }: PendingMedia,
    bytes: number,
    tx: EntityManager,
  ): Promise<boolean | null> {
    const [row] = await queryPrepared<{ held: number; completed: number }>(tx, COMPLETE_MEDIA, [
      workspaceId,
      jobId,
      owner,
      postId,
      urlHash(url),
      bytes,
    ]);
    return row!.held === 1 ? row!.completed === 1 : null;
  }

  /** Ids of everything the job stored. */
  async storedPosts(workspaceId: string, jobId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'SELECT post_id AS id FROM job_posts WHERE workspace_id = $1 AND job_id = $2',
      [workspaceId, jobId],
    );
    return rows.map(({ id }) => id);
  }

  /** Ids of posts whose comments are still to be walked. */
  async pendingTrees(workspaceId: string, jobId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT post_id AS id FROM job_posts WHERE workspace_id = $1 AND job_id = $2 AND comments_pending
       ORDER BY position`,
      [workspaceId, jobId],
    );
    return rows.map(({ id }) => id);
  }

  /** Files that are still to be downloaded. */
  pendingMedia(workspaceId: string, jobId: string): Promise<PendingMedia[]> {
    return this.dataSource.query(
      `SELECT post_id AS "postId", url, audio_url AS "audioUrl" FROM job_media
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

  /** Phrase hashes of up to `limit` posts that were new to the workspace, in the order of their ids, after one id. */
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

  /** Empties the list of a job that has ended. */
  async remove(workspaceId: string, jobId: string, tx: EntityManager): Promise<void> {
    await tx.query('DELETE FROM job_posts WHERE workspace_id = $1 AND job_id = $2', [workspaceId, jobId]);
  }
}

const HELD = `UPDATE job_executions SET attempts = 0
      WHERE workspace_id = $1 AND job_id = $2 AND lease_owner = $3 RETURNING 1`;

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
      ON CONFLICT (workspace_id, job_id, post_id) DO NOTHING RETURNING 1
    ), media AS (
      INSERT INTO job_media (workspace_id, job_id, post_id, url, url_hash, audio_url)
      SELECT $1::uuid, $2::uuid, unnest($9::text[]), unnest($10::text[]), unnest($11::bytea[]), unnest($12::text[])
      ON CONFLICT (workspace_id, job_id, post_id, url_hash) DO NOTHING
    )
    SELECT (SELECT count(*)::int FROM held) AS held, (SELECT count(*)::int FROM added) AS added`,
};

const SAVE_TREES = {
  name: 'save_job_trees',
  text: `
    WITH held AS (${HELD}), saved AS (
      UPDATE job_posts AS post SET
        comments = CASE WHEN tree.done THEN tree.comments ELSE greatest(before.comments, tree.comments) END,
        comments_pending = NOT tree.done
      FROM unnest($4::text[], $5::int[], $6::int[], $7::boolean[]) AS tree (post_id, comments, missing, done)
      JOIN job_posts AS before
        ON before.workspace_id = $1 AND before.job_id = $2 AND before.post_id = tree.post_id
      WHERE post.workspace_id = $1 AND post.job_id = $2 AND post.post_id = tree.post_id AND post.comments_pending
      RETURNING post.comments - before.comments AS gain, CASE WHEN tree.done THEN tree.missing ELSE 0 END AS missing
    )
    SELECT (SELECT count(*)::int FROM held) AS held,
      coalesce(sum(gain), 0)::int AS comments, coalesce(sum(missing), 0)::int AS missing FROM saved`,
};

const COMPLETE_MEDIA = {
  name: 'complete_job_media',
  text: `
    WITH held AS (${HELD}), completed AS (
      UPDATE job_media SET pending = false, bytes = $6
      WHERE workspace_id = $1 AND job_id = $2 AND post_id = $4 AND url_hash = $5 AND pending RETURNING 1
    )
    SELECT (SELECT count(*)::int FROM held) AS held, (SELECT count(*)::int FROM completed) AS completed`,
};
