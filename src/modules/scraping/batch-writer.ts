import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { AlertMatchingService } from '../alerts/alert-matching.service.js';
import { CommentsRepository } from '../comments/comments.repository.js';
import { type JobGain, JobProgressRepository } from '../jobs/job-progress.repository.js';
import type { MediaFile } from '../media/media-file.entity.js';
import { MediaRepository, type PendingMedia } from '../media/media.repository.js';
import { PostsRepository } from '../posts/posts.repository.js';
import type { EnrichedPost } from './enrichment-pipeline.js';
import { LeaseLost } from './execution-errors.js';
import type { JobExecution } from './job-execution.js';
import type { ListingCheckpoint } from './listing-checkpoint.js';
import { keysToBytes } from './phrase-keys.js';
import type { CommentRow } from './records.js';
import { type TreeProgress, WorkListRepository } from './work-list.repository.js';

/** Posts of a page with what is to be fetched for them. */
export interface PostBatch {
  posts: readonly Pick<EnrichedPost, 'row' | 'phraseKeys'>[];
  /** Place of the first post in the job's order, from 0. */
  firstPosition: number;
  /** Ids of posts whose comments are to be walked. */
  treesPending: ReadonlySet<string>;
  media: readonly PendingMedia[];
  /** Where the listing goes on after this batch. */
  checkpoint: ListingCheckpoint;
}

/** Comments of some trees, and how far these trees are. */
export interface CommentBatch {
  comments: CommentRow[];
  /** Each tree once. */
  trees: TreeProgress[];
}

/**
 * Stores a batch, its work list, its counters and its checkpoint in one transaction: a crash loses a batch or nothing, and a
 * batch that is stored twice counts once. Rolls back and throws {@link LeaseLost} when the lease is lost or the job is not
 * running. Locks are taken in the order rows, execution, job.
 */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly jobs: JobProgressRepository,
    private readonly workList: WorkListRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly media: MediaRepository,
    private readonly alerts: AlertMatchingService,
  ) {}

  /** Stores a page of posts. Files that the workspace has are not downloaded again. Returns those that are to be. */
  async writePosts(execution: JobExecution, batch: PostBatch): Promise<PendingMedia[]> {
    const { workspaceId, id } = execution.job;
    const media = await this.media.withoutStored(workspaceId, batch.media);
    // Compiling alerts takes long; the transaction holds the job's row.
    await this.alerts.prepare(workspaceId);
    await this.transactions.run(execution.signal, async (tx) => {
      const rows = batch.posts.map(({ row }) => row);
      const newIds = await this.posts.upsert(workspaceId, rows, tx);
      const posts = await this.workList.addPosts(
        workspaceId,
        id,
        execution.lease.owner,
        {
          posts: batch.posts.map(({ row, phraseKeys }, index) => ({
            id: row.id,
            position: batch.firstPosition + index,
            commentsPending: batch.treesPending.has(row.id),
            phraseKeys: newIds.has(row.id) ? keysToBytes(phraseKeys) : null,
          })),
          media,
          checkpoint: batch.checkpoint,
        },
        tx,
      );
      const { stopReason } = batch.checkpoint;
      await this.count(
        execution,
        posts !== null && {
          posts,
          ...(stopReason !== null && { progress: { stop_reason: stopReason } }),
        },
        tx,
      );
      await this.alerts.matchBatch(
        workspaceId,
        id,
        rows.filter((row) => newIds.has(row.id)),
        tx,
      );
    });
    return media;
  }

  /** Stores comments and how far their trees are. */
  async writeComments(execution: JobExecution, batch: CommentBatch): Promise<void> {
    const { workspaceId, id } = execution.job;
    await this.transactions.run(execution.signal, async (tx) => {
      await this.comments.upsert(workspaceId, batch.comments, tx);
      const gain = await this.workList.saveTrees(workspaceId, id, execution.lease.owner, batch.trees, tx);
      await this.count(
        execution,
        gain !== null && { comments: gain.comments, commentsMissing: gain.missing },
        tx,
      );
    });
  }

  /** Ends one download; `file` is null when there is nothing to keep. */
  async writeMedia(execution: JobExecution, medium: PendingMedia, file: MediaFile | null): Promise<void> {
    const { workspaceId, id } = execution.job;
    await this.transactions.run(execution.signal, async (tx) => {
      if (file !== null) await this.media.insert(workspaceId, file, tx);
      const completed = await this.workList.completeMedia(
        workspaceId,
        id,
        execution.lease.owner,
        medium,
        file?.size ?? 0,
        tx,
      );
      const count = completed ? 1 : 0;
      await this.count(
        execution,
        completed !== null && (file === null ? { mediaFailed: count } : { media: count }),
        tx,
      );
    });
  }

  private async count(execution: JobExecution, gain: JobGain | false, tx: EntityManager): Promise<void> {
    const { workspaceId, id } = execution.job;
    if (!gain || !(await this.jobs.addCounters(workspaceId, id, gain, tx))) throw new LeaseLost();
  }
}
