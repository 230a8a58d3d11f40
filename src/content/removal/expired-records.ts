import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import {
  batchFromFirst,
  type DeletedBatch,
  type ExpiredRows,
  Expiries,
} from '../../tenants/ports/expiries.js';
import { ExpiredCommentsRepository } from '../comments/expired-comments.repository.js';
import { ExpiredPostsRepository } from '../posts/expired-posts.repository.js';
import { RecordRemoval } from './record-removal.js';

/** Rows per transaction: their locks last some tens of milliseconds. */
const BATCH = 500;
/** Posts per batch; their comments are deleted first, {@link BATCH} at a time. */
const POSTS = 100;
const EXAMINED_COMMENTS = 2_000;

/** Deletes expired posts and comments, with the rows and files that belong to them. */
@Injectable()
export class ExpiredRecords {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly posts: ExpiredPostsRepository,
    private readonly comments: ExpiredCommentsRepository,
    private readonly removal: RecordRemoval,
    expiries: Expiries,
  ) {
    expiries.register('posts', this.deletePosts.bind(this));
    expiries.register('comments', this.deleteComments.bind(this));
  }

  /** Deletes files first, then their records and the comments, and finally the posts once no comments are left. */
  async deletePosts({ workspaceId, before }: ExpiredRows): Promise<DeletedBatch> {
    const found = await this.posts.find(workspaceId, before, POSTS);
    if (found.length === 0) return batchFromFirst(0, false);
    const files = await this.removal.removeFiles(workspaceId, found);
    return this.transactions.run(async (tx) => {
      await this.removal.forgetFiles(workspaceId, files, tx);
      const ids = await this.posts.lock(workspaceId, found, before, tx);
      if (ids.length === 0) return batchFromFirst(0, false);
      const comments = await this.comments.deleteOfPosts(workspaceId, ids, BATCH, tx);
      await this.removal.removeOfComments(workspaceId, comments, 'expiry', tx);
      if (comments.length === BATCH) return batchFromFirst(0, true);
      const { posts } = await this.removal.removePosts(workspaceId, ids, 'expiry', tx);
      return batchFromFirst(posts, found.length === POSTS);
    });
  }

  /** Deletes comments in the order of their age. */
  async deleteComments({ workspaceId, before, after }: ExpiredRows): Promise<DeletedBatch> {
    return this.transactions.run(async (tx) => {
      const batch = await this.comments.deleteBatch(workspaceId, before, after, EXAMINED_COMMENTS, tx);
      await this.removal.removeOfComments(workspaceId, batch.deleted, 'expiry', tx);
      return {
        deleted: batch.deleted.length,
        isMore: batch.examined === EXAMINED_COMMENTS,
        after: batch.last,
      };
    });
  }
}
