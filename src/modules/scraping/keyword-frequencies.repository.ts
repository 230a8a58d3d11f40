import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

/** Nothing learned yet. */
export const NO_VERSION = 0;

/** Versions of a workspace's saved phrase frequencies; a version never changes once it is written. */
@Injectable()
export class KeywordFrequenciesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The version that a job reads: the newest when it was first asked for, the same ever after. */
  async versionOf(workspaceId: string, jobId: string): Promise<number> {
    const [rows] = await this.dataSource.query<[{ version: number }[], number]>(
      `UPDATE jobs SET keywords_version = coalesce(keywords_version,
         (SELECT max(version) FROM keyword_frequencies WHERE workspace_id = $1), $3)
       WHERE workspace_id = $1 AND id = $2 RETURNING keywords_version AS version`,
      [workspaceId, jobId, NO_VERSION],
    );
    return rows[0]?.version ?? NO_VERSION;
  }

  async read(workspaceId: string, version: number): Promise<Buffer | null> {
    const rows = await this.dataSource.query<{ state: Buffer }[]>(
      'SELECT state FROM keyword_frequencies WHERE workspace_id = $1 AND version = $2',
      [workspaceId, version],
    );
    return rows[0]?.state ?? null;
  }

  /** Posts that were new to the workspace when the job stored them, in the order of their ids. */
  newPosts(
    workspaceId: string,
    jobId: string,
    after: string,
    limit: number,
  ): Promise<{ id: string; title: string; selftext: string }[]> {
    return this.dataSource.query(
      `SELECT posts.id, posts.title, posts.selftext FROM job_posts
       JOIN posts ON posts.workspace_id = job_posts.workspace_id AND posts.id = job_posts.post_id
       WHERE job_posts.workspace_id = $1 AND job_posts.job_id = $2 AND job_posts.is_new
         AND job_posts.post_id > $3
       ORDER BY job_posts.post_id LIMIT $4`,
      [workspaceId, jobId, after, limit],
    );
  }

  /** Writes the next version as `next` makes it of the newest. Jobs that end together take turns. */
  async append(
    workspaceId: string,
    next: (newest: Buffer | null) => Buffer,
    tx: EntityManager,
  ): Promise<void> {
    await tx.query('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
    const [newest] = await tx.query<{ version: number; state: Buffer }[]>(
      'SELECT version, state FROM keyword_frequencies WHERE workspace_id = $1 ORDER BY version DESC LIMIT 1',
      [workspaceId],
    );
    await tx.query('INSERT INTO keyword_frequencies (workspace_id, version, state) VALUES ($1, $2, $3)', [
      workspaceId,
      (newest?.version ?? NO_VERSION) + 1,
      next(newest?.state ?? null),
    ]);
    await this.prune(workspaceId, tx);
  }

  /** A job that is just choosing its version may still choose one that was the newest a moment ago. */
  private async prune(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.query(
      `DELETE FROM keyword_frequencies AS old WHERE workspace_id = $1
         AND version < (SELECT max(version) FROM keyword_frequencies
           WHERE workspace_id = $1 AND created_at < clock_timestamp() - interval '10 minutes')
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE workspace_id = $1
           AND status IN ('pending', 'running') AND keywords_version = old.version)`,
      [workspaceId],
    );
  }
}
