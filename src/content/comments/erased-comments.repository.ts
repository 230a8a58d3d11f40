import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { SOURCES } from '../../platforms/registry.js';
import type { CommentRecord } from './comment.entity.js';

/** A comment to examine or to erase. */
export type ErasableComment = Pick<CommentRecord, 'commentId' | 'postId' | 'author'>;

const COLUMNS = 'comment_id AS "commentId", post_id AS "postId", author';
/** Below the number of every comment. */
const FIRST = String(Number.MIN_SAFE_INTEGER);

/** Which accounts of a name: those whose ids begin with a prefix, and whether case matters. */
interface AuthorScope {
  idPrefix: string;
  isExact: boolean;
}

/** Finds and deletes the comments of an erasure. Triggers keep counts and the search index consistent. */
@Injectable()
export class ErasedCommentsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Comments by an author in a scope; at most `limit`. */
  findOfAuthor(
    workspaceId: string,
    author: string,
    { idPrefix, isExact }: AuthorScope,
    limit: number,
  ): Promise<ErasableComment[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM comments
       WHERE workspace_id = $1 AND lower(author) = lower($2) AND starts_with(comment_id, $3)
         AND ($5 OR author = $2)
       ORDER BY created_utc, id LIMIT $4`,
      [workspaceId, author, idPrefix, limit, !isExact],
    );
  }

  /** Comments of posts; at most `limit`. */
  findOfPosts(workspaceId: string, postIds: readonly string[], limit: number): Promise<ErasableComment[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM comments WHERE workspace_id = $1 AND post_id = ANY ($2) LIMIT $3`,
      [workspaceId, postIds, limit],
    );
  }

  /** Whether the comment with a platform id is stored. */
  async isStored(workspaceId: string, commentId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM comments WHERE workspace_id = $1 AND id = $2 AND comment_id = $3',
      [workspaceId, SOURCES.commentNumber(commentId), commentId],
    );
    return rows.length > 0;
  }

  /** Comments after a number, in its order; an empty number begins with the first. At most `limit`. */
  listAfter(workspaceId: string, number: string, limit: number): Promise<ErasableComment[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM comments WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [workspaceId, number === '' ? FIRST : number, limit],
    );
  }

  /** Deletes comments by their platform ids; returns how many were stored. */
  async delete(workspaceId: string, commentIds: readonly string[], tx: EntityManager): Promise<number> {
    const numbers = commentIds.map((id) => SOURCES.commentNumber(id));
    const [, deleted] = await tx.query<[unknown[], number]>(
      `DELETE FROM comments WHERE workspace_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM comments WHERE workspace_id = $1 AND id = ANY ($2::bigint[]) AND comment_id = ANY ($3)
         ORDER BY id FOR UPDATE))`,
      [workspaceId, numbers, commentIds],
    );
    return deleted;
  }
}
