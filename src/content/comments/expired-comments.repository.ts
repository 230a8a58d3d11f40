import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TimePosition } from '../../http/pages/time-cursor.js';

/** A batch of comments in creation order, and which of them were deleted. */
export interface ExaminedComments {
  examined: number;
  /** Platform ids of the deleted ones. */
  deleted: string[];
  /** The last comment of the batch; null if the batch is empty. */
  last: TimePosition | null;
}

type Deleted = { commentId: string };

/** Deletes comments by age. Triggers keep counts and the search index consistent. */
@Injectable()
export class ExpiredCommentsRepository {
  /**
   * Examines up to `limit` comments created before a given time, starting after a position, and deletes those that were
   * also last scraped before it. Skips comments that another transaction has locked.
   */
  async deleteBatch(
    workspaceId: string,
    before: Date,
    after: TimePosition | null,
    limit: number,
    tx: EntityManager,
  ): Promise<ExaminedComments> {
    const rows = await tx.query<(TimePosition & { isExpired: boolean })[]>(
      `SELECT created_utc::text AS time, id::text AS id, scraped_at < $2 AS "isExpired" FROM comments
       WHERE workspace_id = $1 AND created_utc < $2
         AND ($3::timestamptz IS NULL OR (created_utc, id) > ($3, $4::bigint))
       ORDER BY created_utc, id LIMIT $5`,
      [workspaceId, before, after?.time ?? null, after?.id ?? null, limit],
    );
    const expired = rows.filter(({ isExpired }) => isExpired).map(({ id }) => id);
    const last = rows.at(-1);
    return {
      examined: rows.length,
      deleted: expired.length === 0 ? [] : await this.delete(workspaceId, expired, before, tx),
      last: last === undefined ? null : { time: last.time, id: last.id },
    };
  }

  /** Deletes up to `limit` comments of the given posts, regardless of age; returns their platform ids. */
  async deleteOfPosts(
    workspaceId: string,
    postIds: readonly string[],
    limit: number,
    tx: EntityManager,
  ): Promise<string[]> {
    const [deleted] = await tx.query<[Deleted[], number]>(
      `DELETE FROM comments WHERE workspace_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM comments WHERE workspace_id = $1 AND post_id = ANY ($2) ORDER BY id LIMIT $3 FOR UPDATE))
       RETURNING comment_id AS "commentId"`,
      [workspaceId, postIds, limit],
    );
    return deleted.map(({ commentId }) => commentId);
  }

  private async delete(
    workspaceId: string,
    ids: readonly string[],
    before: Date,
    tx: EntityManager,
  ): Promise<string[]> {
    const [deleted] = await tx.query<[Deleted[], number]>(
      `DELETE FROM comments WHERE workspace_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM comments WHERE workspace_id = $1 AND id = ANY ($2::bigint[]) AND scraped_at < $3
         ORDER BY id FOR UPDATE SKIP LOCKED))
       RETURNING comment_id AS "commentId"`,
      [workspaceId, ids, before],
    );
    return deleted.map(({ commentId }) => commentId);
  }
}
