import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LeaseLost } from '../../common/leased-work.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { AlertMatchingService } from '../../alerts/service/alert-matching.service.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import type { MediaFile } from '../../content/media/media-file.entity.js';
import { MediaQuota } from '../../content/media/media-quota.js';
import { MediaRefused } from '../../content/media/media-store.js';
import { MediaRepository, type PendingMedia } from '../../content/media/media.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import type { EnrichedPost } from './enrichment-pipeline.js';
import type { JobExecution } from './job-execution.js';
import type { ListingCheckpoint } from './listing-checkpoint.js';
import { ScrapingMetrics } from './scraping-metrics.js';
import { keysToBytes } from './workspace-keywords.js';
import type { CommentRow } from './records.js';
import { type TreeProgress, WorkListRepository } from './work-list.repository.js';

/** Posts of one page, and the comments and media that still have to be fetched. */
export interface PostBatch {
  posts: readonly Pick<EnrichedPost, 'row' | 'phraseKeys'>[];
  /** Whether posts that the workspace already has keep their values instead of being updated. */
  addsOnly: boolean;
  /** Position of the first post in the job's order, from 0. */
  firstPosition: number;
  /** Ids of posts whose comments still have to be read. */
  treesPending: ReadonlySet<string>;
  media: readonly PendingMedia[];
  /** Where the listing continues after this batch. */
  checkpoint: ListingCheckpoint;
}

/** Comments of several trees, and the progress of each tree. */
export interface CommentBatch {
  comments: CommentRow[];
  /** Each tree occurs once. */
  trees: TreeProgress[];
}

/**
 * Stores a batch, its work list, its counters and its checkpoint in one transaction. A crash therefore loses at most
 * the uncommitted batch, and a batch that is stored twice counts once. Rolls back and throws {@link LeaseLost} when the
 * lease is lost or the job is not running. Locks the rows first, then the execution and the job.
 */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly workList: WorkListRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly media: MediaRepository,
    private readonly mediaQuota: MediaQuota,
    private readonly alerts: AlertMatchingService,
    private readonly metrics: ScrapingMetrics,
  ) {}

  /**
   * Stores a page of posts without suppressed ones. Returns the media that still have to be downloaded: neither files that
   * the workspace already has nor those that a post has lost by a later reading. Alerts are compiled before the
   * transaction, which keeps the job's row locked.
   */
  async writePosts(execution: JobExecution, batch: PostBatch): Promise<PendingMedia[]> {
    const { workspaceId, id } = execution.job;
    const missing = await this.media.withoutStored(workspaceId, batch.media);
    let media = missing;
    const startedAt = performance.now();
    await this.alerts.withMatcher(workspaceId, (matcher) =>
      this.store(execution, async (owner, tx) => {
        const rows = batch.posts.map(({ row }) => row);
        const { allowed, newIds, keptIds } = batch.addsOnly
          ? await this.posts.insertNew(workspaceId, rows, tx)
          : await this.posts.upsert(workspaceId, rows, tx);
        const ids = new Set(allowed.map((row) => row.id));
        const kept = keptIds.size === 0 ? null : await this.posts.hold(workspaceId, [...keptIds], tx);
        media = missing.filter(
          ({ postId, url }) => ids.has(postId) && (!keptIds.has(postId) || kept?.get(postId)?.includes(url)),
        );
        const posts = batch.posts
          .map(({ row, phraseKeys }, index) => ({
            id: row.id,
            position: batch.firstPosition + index,
            commentsPending: batch.treesPending.has(row.id),
            phraseKeys: newIds.has(row.id) ? keysToBytes(phraseKeys) : null,
          }))
          .filter(({ id: postId }) => ids.has(postId));
        const { checkpoint } = batch;
        if (!(await this.workList.addPosts(workspaceId, id, owner, { posts, media, checkpoint }, tx)))
          return false;
        const newRows = allowed.filter((row) => newIds.has(row.id));
        await this.alerts.matchBatch(workspaceId, id, { posts: newRows }, matcher, tx);
        return true;
      }),
    );
    this.metrics.batchWritten('posts', batch.posts.length, startedAt);
    return media;
  }

  /** Stores comments and the progress of their trees. */
  async writeComments(execution: JobExecution, { comments, trees }: CommentBatch): Promise<void> {
    const { workspaceId, id } = execution.job;
    const startedAt = performance.now();
    await this.alerts.withMatcher(workspaceId, (matcher) =>
      this.store(execution, async (owner, tx) => {
        const newIds = await this.comments.upsert(workspaceId, comments, tx);
        if (!(await this.workList.saveTrees(workspaceId, id, owner, trees, tx))) return false;
        const newComments = comments.filter((comment) => newIds.has(comment.id));
        await this.alerts.matchBatch(workspaceId, id, { comments: newComments }, matcher, tx);
        return true;
      }),
    );
    this.metrics.batchWritten('comments', comments.length, startedAt);
  }

  /**
   * Completes one download; `file` is null when there is nothing to store. Throws {@link MediaRefused} beyond the
   * quota, and when the post has been deleted.
   */
  async writeMedia(execution: JobExecution, medium: PendingMedia, file: MediaFile | null): Promise<void> {
    const { workspaceId, id } = execution.job;
    await this.store(execution, async (owner, tx) => {
      if (file !== null) {
        if (!(await this.posts.hold(workspaceId, [medium.postId], tx)).has(medium.postId))
          throw new MediaRefused('The post was deleted.');
        await this.mediaQuota.insert(workspaceId, file, tx);
      }
      return this.workList.completeMedia(workspaceId, id, owner, medium, file?.size ?? null, tx);
    });
    if (file !== null) this.metrics.mediaWritten();
  }

  private store(
    { lease, signal }: JobExecution,
    work: (owner: string, tx: EntityManager) => Promise<boolean>,
  ): Promise<void> {
    return this.transactions.run(signal, async (tx) => {
      if (!(await work(lease.owner, tx))) throw new LeaseLost();
    });
  }
}
