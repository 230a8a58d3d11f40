import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MediaRepository } from '../media/media.repository.js';
import { MediaStore } from '../media/media-store.js';
import { type RemovalReason, type RemovedCounts, Removals } from '../../tenants/ports/removals.js';
import { ExpiredPostsRepository } from '../posts/expired-posts.repository.js';

/**
 * Removes posts, their files, and the rows that their owners keep of posts and comments. Erasures, retention and rechecks
 * remove records by it, so that none leaves rows that another removes.
 */
@Injectable()
export class RecordRemoval {
  constructor(
    private readonly posts: ExpiredPostsRepository,
    private readonly media: MediaRepository,
    private readonly store: MediaStore,
    private readonly removals: Removals,
  ) {}

  /**
   * Deletes the files of posts and returns the ids of their records, for {@link forgetFiles}: files first, so that a crash
   * leaves no file without a record.
   */
  async removeFiles(workspaceId: string, postIds: readonly string[], tx?: EntityManager): Promise<string[]> {
    return this.store.removeUnshared(await this.media.listOfPosts(workspaceId, postIds, tx));
  }

  /** Deletes the records of files; returns how many. */
  async forgetFiles(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<number> {
    if (ids.length > 0) await this.media.delete(workspaceId, ids, tx);
    return ids.length;
  }

  /**
   * Deletes posts without comments, which the caller has locked; returns the numbers of rows and files. Downloads hold the
   * row of their post, so the files that they stored since {@link removeFiles} are visible now, and none follow.
   */
  async removePosts(
    workspaceId: string,
    postIds: readonly string[],
    reason: RemovalReason,
    tx: EntityManager,
  ): Promise<RemovedCounts & { posts: number; media: number }> {
    const files = await this.removeFiles(workspaceId, postIds, tx);
    const media = await this.forgetFiles(workspaceId, files, tx);
    const removed = await this.removals.remove(workspaceId, 'posts', postIds, reason, tx);
    return { ...removed, posts: await this.posts.delete(workspaceId, postIds, tx), media };
  }

  /** Deletes the rows that belong to comments which the transaction deletes. */
  removeOfComments(
    workspaceId: string,
    commentIds: readonly string[],
    reason: RemovalReason,
    tx: EntityManager,
  ): Promise<RemovedCounts> {
    return this.removals.remove(workspaceId, 'comments', commentIds, reason, tx);
  }
}
