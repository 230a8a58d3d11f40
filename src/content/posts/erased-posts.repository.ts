import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostRecord } from './post.entity.js';

/** Which accounts of a name: those whose ids begin with a prefix, and whether case matters. */
interface AuthorScope {
  idPrefix: string;
  isExact: boolean;
}

/** Finds the posts of an erasure. They are deleted like expired ones. */
@Injectable()
export class ErasedPostsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Ids of posts by an author in a scope; at most `limit`. */
  async findOfAuthor(
    workspaceId: string,
    author: string,
    { idPrefix, isExact }: AuthorScope,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM posts WHERE workspace_id = $1 AND lower(author) = lower($2) AND starts_with(id, $3)
         AND ($5 OR author = $2)
       ORDER BY created_utc, id LIMIT $4`,
      [workspaceId, author, idPrefix, limit, !isExact],
    );
    return rows.map(({ id }) => id);
  }

  /** Ids and authors of the posts after an id, in its order; at most `limit`. */
  listAfter(workspaceId: string, id: string, limit: number): Promise<Pick<PostRecord, 'id' | 'author'>[]> {
    return this.dataSource.query(
      'SELECT id, author FROM posts WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3',
      [workspaceId, id, limit],
    );
  }

  /** Locks posts until the transaction ends, so that no media are added to them. */
  async lock(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query('SELECT 1 FROM posts WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE', [
      workspaceId,
      ids,
    ]);
  }

  /** Removes the names of forums without posts, such as an account's own forum, from the counts. */
  async forgetEmptyForums(workspaceId: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE post_count_deltas SET forum = '' WHERE workspace_id = $1 AND forum IN (
         SELECT forum FROM post_count_deltas WHERE workspace_id = $1 AND forum <> ''
         GROUP BY forum HAVING sum(rows) = 0)`,
      [workspaceId],
    );
  }
}
