import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

/**
 * Posts that were last scraped before a given time. When they are deleted, triggers keep counts and the search index
 * consistent.
 */
@Injectable()
export class ExpiredPostsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Ids of up to `limit` posts that were last scraped before a given time, oldest first. */
  async find(workspaceId: string, before: Date, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'SELECT id FROM posts WHERE workspace_id = $1 AND scraped_at < $2 ORDER BY scraped_at, id LIMIT $3',
      [workspaceId, before, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks those of the given posts that are still expired and not locked by another transaction; returns their ids. */
  async lock(
    workspaceId: string,
    ids: readonly string[],
    before: Date,
    tx: EntityManager,
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(
      `SELECT id FROM posts WHERE workspace_id = $1 AND id = ANY ($2) AND scraped_at < $3
       ORDER BY id FOR UPDATE SKIP LOCKED`,
      [workspaceId, ids, before],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes posts and their score histories; returns how many posts were stored. */
  async delete(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<number> {
    await tx.query('DELETE FROM post_scores WHERE workspace_id = $1 AND post_id = ANY ($2)', [
      workspaceId,
      ids,
    ]);
    const [, deleted] = await tx.query<[unknown[], number]>(
      'DELETE FROM posts WHERE workspace_id = $1 AND id = ANY ($2)',
      [workspaceId, ids],
    );
    return deleted;
  }
}
