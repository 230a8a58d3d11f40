import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

/** A post whose comments are to be walked. */
export interface PendingTree {
  id: string;
  permalink: string;
  /** How many the platform counts. */
  numComments: number;
}

/** How far the walk of one tree is. */
export interface TreeProgress {
  postId: string;
  /** Comments of this walk that are stored with or before this batch. */
  comments: number;
  missing: number;
  done: boolean;
}

/** A running job's work list: which posts it stored, and whose comments are still to be walked. Emptied at its end. */
@Injectable()
export class JobWorkRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Notes posts, and which of them the workspace did not have; returns how many the job had not stored before. */
  async addPosts(
    workspaceId: string,
    jobId: string,
    posts: readonly { id: string; position: number; commentsPending: boolean; isNew: boolean }[],
    tx: EntityManager,
  ): Promise<number> {
    if (posts.length === 0) return 0;
    const added = await tx.query<unknown[]>(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, is_new)
       SELECT $1, $2, * FROM unnest($3::text[], $4::int[], $5::boolean[], $6::boolean[])
       ON CONFLICT (workspace_id, job_id, post_id) DO NOTHING RETURNING 1`,
      [
        workspaceId,
        jobId,
        posts.map((post) => post.id),
        posts.map((post) => post.position),
        posts.map((post) => post.commentsPending),
        posts.map((post) => post.isNew),
      ],
    );
    return added.length;
  }

  /** Ids of everything the job stored. */
  async storedPosts(workspaceId: string, jobId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ post_id: string }[]>(
      'SELECT post_id FROM job_posts WHERE workspace_id = $1 AND job_id = $2',
      [workspaceId, jobId],
    );
    return rows.map((row) => row.post_id);
  }

  /** Posts whose comments are still to be walked, in the order of the listing. */
  pendingTrees(workspaceId: string, jobId: string): Promise<PendingTree[]> {
    return this.dataSource.query(
      `SELECT job_posts.post_id AS id, posts.permalink, posts.num_comments AS "numComments" FROM job_posts
       JOIN posts ON posts.workspace_id = job_posts.workspace_id AND posts.id = job_posts.post_id
       WHERE job_posts.workspace_id = $1 AND job_posts.job_id = $2 AND job_posts.comments_pending
       ORDER BY job_posts.position`,
      [workspaceId, jobId],
    );
  }

  /**
   * Notes how far trees are; each tree at most once a call. A tree that is walked again after a crash counts only what
   * goes beyond what it counted before, and at its end exactly what it holds. Returns what the job's counters gain.
   */
  async saveTrees(
    workspaceId: string,
    jobId: string,
    trees: readonly TreeProgress[],
    tx: EntityManager,
  ): Promise<{ comments: number; missing: number }> {
    const [rows] = await tx.query<[{ gain: number; missing: number }[], number]>(
      `UPDATE job_posts AS post SET
         comments = CASE WHEN tree.done THEN tree.comments ELSE greatest(before.comments, tree.comments) END,
         comments_pending = NOT tree.done
       FROM unnest($3::text[], $4::int[], $5::int[], $6::boolean[]) AS tree (post_id, comments, missing, done)
       JOIN job_posts AS before ON before.workspace_id = $1 AND before.job_id = $2 AND before.post_id = tree.post_id
       WHERE post.workspace_id = $1 AND post.job_id = $2 AND post.post_id = tree.post_id AND post.comments_pending
       RETURNING post.comments - before.comments AS gain, CASE WHEN tree.done THEN tree.missing ELSE 0 END AS missing`,
      [
        workspaceId,
        jobId,
        trees.map((tree) => tree.postId),
        trees.map((tree) => tree.comments),
        trees.map((tree) => tree.missing),
        trees.map((tree) => tree.done),
      ],
    );
    return rows.reduce(
      (sum, row) => ({ comments: sum.comments + row.gain, missing: sum.missing + row.missing }),
      { comments: 0, missing: 0 },
    );
  }
}
