import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { AlertMatchingService } from '../alerts/alert-matching.service.js';
import { CommentsRepository } from '../comments/comments.repository.js';
import { type BatchEffect, JobRunsRepository } from '../jobs/job-runs.repository.js';
import { JobWorkRepository, type TreeProgress } from '../jobs/job-work.repository.js';
import type { MediaFile } from '../media/media-file.entity.js';
import { MediaRepository, type WantedMedia } from '../media/media.repository.js';
import { PostsRepository } from '../posts/posts.repository.js';
import type { WalkPosition } from './listing-plan.js';
import type { CommentRow, PostRow } from './records.js';
import { LeaseLost } from './run-errors.js';
import type { ScrapeRun } from './scrape-run.js';

export interface PostBatch {
  posts: PostRow[];
  /** Place of the first post in the job's order. */
  firstPosition: number;
  /** Ids whose comments are to be walked. */
  treesWanted: ReadonlySet<string>;
  media: readonly WantedMedia[];
  /** Where the walk goes on after this batch. */
  position: WalkPosition;
}

export interface CommentBatch {
  comments: CommentRow[];
  /** Trees that the comments belong to, each once. */
  trees: TreeProgress[];
}

/**
 * Stores a batch, its counters and its checkpoint in one transaction, so that a crash loses a batch or nothing, and a
 * batch that is stored twice counts once. Throws {@link LeaseLost} when the job is not the run's any more.
 */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly runs: JobRunsRepository,
    private readonly work: JobWorkRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly media: MediaRepository,
    private readonly alerts: AlertMatchingService,
  ) {}

  async writePosts(run: ScrapeRun, batch: PostBatch): Promise<void> {
    const { workspaceId, id } = run.job;
    // Compiling alerts takes long; the transaction holds the job's row.
    await this.alerts.prepare(workspaceId);
    return this.store(run, async (tx) => {
      const newIds = await this.posts.upsert(workspaceId, batch.posts, tx);
      const { stopReason } = batch.position;
      await this.save(
        run,
        {
          posts: batch.posts.map((post, index) => ({
            id: post.id,
            position: batch.firstPosition + index,
            commentsPending: batch.treesWanted.has(post.id),
            isNew: newIds.has(post.id),
          })),
          checkpoint: batch.position,
          ...(stopReason !== null && { progress: { stop_reason: stopReason } }),
        },
        tx,
      );
      await this.media.want(workspaceId, id, batch.media, tx);
      await this.alerts.matchBatch(
        workspaceId,
        id,
        batch.posts.filter((post) => newIds.has(post.id)),
        tx,
      );
    });
  }

  writeComments(run: ScrapeRun, batch: CommentBatch): Promise<void> {
    const { workspaceId, id } = run.job;
    return this.store(run, async (tx) => {
      await this.comments.upsert(workspaceId, batch.comments, tx);
      const gain = await this.work.saveTrees(workspaceId, id, batch.trees, tx);
      await this.save(run, { comments: gain.comments, commentsMissing: gain.missing }, tx);
    });
  }

  /** Ends one download; `file` is null when there is nothing to keep. */
  writeMedia(run: ScrapeRun, wanted: WantedMedia, file: MediaFile | null): Promise<void> {
    const { workspaceId, id } = run.job;
    return this.store(run, async (tx) => {
      const settled = await this.media.settle(workspaceId, id, wanted, file, tx);
      const count = settled ? 1 : 0;
      await this.save(run, file === null ? { mediaFailed: count } : { media: count }, tx);
    });
  }

  private async store(run: ScrapeRun, work: (tx: EntityManager) => Promise<void>): Promise<void> {
    await this.transactions.run(run.signal, work);
    run.hasStored = true;
  }

  private async save(run: ScrapeRun, effect: BatchEffect, tx: EntityManager): Promise<void> {
    const { workspaceId, id } = run.job;
    if ((await this.runs.saveBatch(workspaceId, id, run.owner, effect, tx)) === null) throw new LeaseLost();
  }
}
