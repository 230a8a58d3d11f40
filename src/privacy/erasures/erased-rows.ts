import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { AlertMatchesRepository } from '../../alerts/matching/alert-matches.repository.js';
import { matchedCommentId } from '../../alerts/alert/alert-scope.js';
import { ArrivalsRepository } from '../../content/arrivals/arrivals.repository.js';
import { ErasedCommentsRepository } from '../../content/comments/erased-comments.repository.js';
import { DeliveriesRepository } from '../../deliver/queue/deliveries.repository.js';
import {
  type ErasedRecords,
  ErasedEventsRepository,
} from '../../messages/outbox/erased-events.repository.js';
import { ErasedPostsRepository } from '../../content/posts/erased-posts.repository.js';
import { RecordRemoval } from '../../collect/removal/record-removal.js';
import { WorkListRepository } from '../../collect/scraping/work-list.repository.js';
import type { Subject } from '../../content/suppressions/suppressed-subject.js';
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
    private readonly matches: AlertMatchesRepository,
    private readonly events: ErasedEventsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly workList: WorkListRepository,
    private readonly arrivals: ArrivalsRepository,
  ) {}

  /**
   * Suppresses posts and erases up to {@link COMMENTS_AT_ONCE} of their comments; once none are left, erases the posts:
   * files first, so that a crash leaves no file without a record.
   */
  async erasePosts(erasure: Erasure, ids: readonly string[], signal: AbortSignal): Promise<void> {
    const { workspaceId } = erasure;
    await this.remember(
      erasure,
      ids.map((id) => ({ kind: 'post', id })),
    );
    const comments = await this.comments.findOfPosts(workspaceId, ids, COMMENTS_AT_ONCE);
    if (comments.length > 0)
      return this.eraseComments(
        erasure,
        comments.map(({ commentId }) => commentId),
        signal,
      );
    const files = await this.removal.removeFiles(workspaceId, ids);
    await this.transactions.run(signal, async (tx) => {
      await this.posts.lock(workspaceId, ids, tx);
      const known = await this.removal.forgetFiles(workspaceId, files, tx);
      const { posts, media: late } = await this.removal.removePosts(workspaceId, ids, tx);
      await this.workList.forgetStored(workspaceId, ids, tx);
      await this.arrivals.forgetPosts(workspaceId, ids, tx);
      const matches = await this.matches.deleteOf(workspaceId, ids, tx);
      const events = await this.eraseRecords(workspaceId, { postIds: ids, commentIds: [], author: null }, tx);
      await this.erasures.count(workspaceId, erasure.id, { posts, media: known + late, matches, events }, tx);
    });
  }

  /** Suppresses and erases comments. */
  async eraseComments(erasure: Erasure, commentIds: readonly string[], signal: AbortSignal): Promise<void> {
    const { workspaceId } = erasure;
    await this.remember(
      erasure,
      commentIds.map((id) => ({ kind: 'comment', id })),
    );
    await this.transactions.run(signal, async (tx) => {
      await this.removal.removeOfComments(workspaceId, commentIds, tx);
      const comments = await this.comments.delete(workspaceId, commentIds, tx);
      const matches = await this.matches.deleteOf(workspaceId, commentIds.map(matchedCommentId), tx);
      const events = await this.eraseRecords(workspaceId, { postIds: [], commentIds, author: null }, tx);
      await this.erasures.count(workspaceId, erasure.id, { comments, matches, events }, tx);
    });
  }

  /** Removes records from payloads, and what receivers responded to them; returns the number of events. */
  async eraseRecords(workspaceId: string, records: ErasedRecords, tx: EntityManager): Promise<number> {
    const events = await this.events.eraseRecords(workspaceId, records, tx);
    if (events.length > 0) await this.deliveries.forgetErrors(workspaceId, events, tx);
    return events.length;
  }

  /**
   * Records hashes of what is erased, by which datasets are searched. They are suppressed besides an author, because
   * platforms show the content of deleted accounts without the author.
   */
  private async remember(
    { workspaceId, id, suppressionId }: Erasure,
    subjects: readonly Subject[],
  ): Promise<void> {
    const hashes = subjects.map(await this.suppressions.hasher(workspaceId));
    await this.erasures.addHashes(workspaceId, id, hashes);
    if (suppressionId !== null) await this.suppressions.extend(workspaceId, suppressionId, hashes);
  }
}
