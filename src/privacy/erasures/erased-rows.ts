import { Injectable } from '@nestjs/common';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { ErasedCommentsRepository } from '../../content/comments/erased-comments.repository.js';
import { ErasedPostsRepository } from '../../content/posts/erased-posts.repository.js';
import { RecordRemoval } from '../../content/removal/record-removal.js';
import type { Subject } from '../../tenants/ports/erasure-subject.js';
import { Suppressions } from '../../content/suppressions/suppressions.service.js';
import type { Erasure } from './erasure.entity.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Comments per transaction: their locks last some tens of milliseconds. */
export const COMMENTS_AT_ONCE = 500;

/**
 * Erases posts and comments with all that belongs to them, in short transactions. A batch that fails or is killed can
 * be repeated.
 */
@Injectable()
export class ErasedRows {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly suppressions: Suppressions,
    private readonly transactions: RetryingTransactions,
    private readonly removal: RecordRemoval,
    private readonly posts: ErasedPostsRepository,
    private readonly comments: ErasedCommentsRepository,
  ) {}

  /**
   * Suppresses posts and erases up to {@link COMMENTS_AT_ONCE} of their comments; once none are left, erases the posts:
   * files first, so that a crash leaves no file without a record. Returns whether the posts are erased.
   */
  async erasePosts(erasure: Erasure, ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    const { workspaceId } = erasure;
    await this.remember(
      erasure,
      ids.map((id) => ({ kind: 'post', id })),
    );
    const comments = await this.comments.findOfPosts(workspaceId, ids, COMMENTS_AT_ONCE);
    if (comments.length > 0) {
      const commentIds = comments.map(({ commentId }) => commentId);
      await this.eraseComments(erasure, commentIds, signal);
      return false;
    }
    const files = await this.removal.removeFiles(workspaceId, ids);
    await this.transactions.run(signal, async (tx) => {
      await this.posts.lock(workspaceId, ids, tx);
      const known = await this.removal.forgetFiles(workspaceId, files, tx);
      const { media: late, ...removed } = await this.removal.removePosts(workspaceId, ids, 'erasure', tx);
      await this.erasures.count(workspaceId, erasure.id, { ...removed, media: known + late }, tx);
    });
    return true;
  }

  /** Suppresses and erases comments. */
  async eraseComments(erasure: Erasure, commentIds: readonly string[], signal: AbortSignal): Promise<void> {
    const { workspaceId } = erasure;
    await this.remember(
      erasure,
      commentIds.map((id) => ({ kind: 'comment', id })),
    );
    await this.transactions.run(signal, async (tx) => {
      const removed = await this.removal.removeOfComments(workspaceId, commentIds, 'erasure', tx);
      const comments = await this.comments.delete(workspaceId, commentIds, tx);
      await this.erasures.count(workspaceId, erasure.id, { ...removed, comments }, tx);
    });
  }

  /**
   * Records hashes of erased records, by which datasets are searched. They are suppressed besides an author, because
   * platforms show the content of deleted accounts without the author.
   */
  private async remember(erasure: Erasure, subjects: readonly Subject[]): Promise<void> {
    const { workspaceId, id } = erasure;
    const hashes = subjects.map(await this.suppressions.hasher(workspaceId));
    await this.erasures.addHashes(workspaceId, id, hashes);
    await this.suppress(erasure, hashes);
  }

  /** Extends the suppression of the erasure, if it has one, by hashes, and waits for writers that did not see it. */
  async suppress({ workspaceId, suppressionId }: Erasure, hashes: readonly Buffer[]): Promise<void> {
    if (suppressionId !== null) await this.suppressions.extend(workspaceId, suppressionId, hashes);
  }
}
