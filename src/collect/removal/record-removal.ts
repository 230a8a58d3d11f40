import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LabelsRepository } from '../../content/labels/labels.repository.js';
import { MediaRepository } from '../../content/media/media.repository.js';
import { MediaStore } from '../../content/media/media-store.js';
import { ExpiredPostsRepository } from '../../content/posts/expired-posts.repository.js';
import { WorkListRepository } from '../scraping/work-list.repository.js';

/**
 * Removes posts with everything that exists only for them, and what exists only for comments. Erasure and retention both
 * remove records by it, so that neither leaves rows that the other removes. What else names a record, such as matches and
 * events, has a retention of its own and is removed by erasures alone.
 */
@Injectable()
export class RecordRemoval {
  constructor(
    private readonly posts: ExpiredPostsRepository,
    private readonly media: MediaRepository,
    private readonly store: MediaStore,
    private readonly labels: LabelsRepository,
    private readonly workList: WorkListRepository,
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
   * Deletes posts without comments, which the caller has locked; returns how many posts and files. Downloads hold the row
   * of their post, so the files that they stored since {@link removeFiles} are visible now, and none follow.
   */
  async removePosts(
    workspaceId: string,
    ids: readonly string[],
    tx: EntityManager,
  ): Promise<{ posts: number; media: number }> {
    const media = await this.forgetFiles(workspaceId, await this.removeFiles(workspaceId, ids, tx), tx);
    await this.workList.removePosts(workspaceId, ids, tx);
    await this.labels.deleteOf(workspaceId, ids, tx);
    return { posts: await this.posts.delete(workspaceId, ids, tx), media };
  }

  /** Deletes what exists only for comments that the transaction deletes. */
  async removeOfComments(
    workspaceId: string,
    commentIds: readonly string[],
    tx: EntityManager,
  ): Promise<void> {
    if (commentIds.length > 0) await this.labels.deleteOf(workspaceId, commentIds, tx);
  }
}
