import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { AlertMatchingService } from '../alerts/alert-matching.service.js';
import { CommentsRepository } from '../comments/comments.repository.js';
import type { Job } from '../jobs/job.entity.js';
import { type JobCounters, JobRunsRepository } from '../jobs/job-runs.repository.js';
import { PostsRepository } from '../posts/posts.repository.js';
import type { CommentRow, PostRow } from './records.js';

/** The job was cancelled or taken over by another worker: whatever is under way must not be written. */
export class LeaseLost extends Error {}

/** Where a walk goes on. */
export interface Checkpoint {
  /** Platform's position in the listing; null at its start. */
  after: string | null;
  listingDone: boolean;
}

export interface PostBatch {
  posts: PostRow[];
  /** Ids whose comments are to be walked. */
  treesWanted: ReadonlySet<string>;
}

/** Stores a batch, its counters and its checkpoint in one transaction, so that a crash loses a batch or nothing. */
@Injectable()
export class BatchWriter {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly runs: JobRunsRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly alerts: AlertMatchingService,
  ) {}

  /** Counters after the batch. */
  async writePosts(
    job: Job,
    owner: string,
    batch: PostBatch,
    counters: JobCounters,
    checkpoint: Checkpoint,
  ): Promise<JobCounters> {
    await this.alerts.prepare(job.workspaceId);
    return this.transactions.run(async (tx) => {
      await this.lock(job, owner, tx);
      const unseen = await this.posts.upsert(job.workspaceId, batch.posts, tx);
      await this.alerts.matchBatch(
        job.workspaceId,
        job.id,
        batch.posts.filter(({ id }) => unseen.has(id)),
        tx,
      );
      const added = await this.runs.addPosts(
        job.workspaceId,
        job.id,
        batch.posts.map((post, index) => ({
          id: post.id,
          position: counters.postsScraped + index,
          commentsPending: batch.treesWanted.has(post.id),
        })),
        tx,
      );
      const postsScraped = counters.postsScraped + added.size;
      const after = { ...counters, postsScraped, progress: { ...counters.progress, posts: postsScraped } };
      await this.runs.saveBatch(job.workspaceId, job.id, after, checkpoint, tx);
      return after;
    });
  }

  /** Stores a slice of a comment tree; counted when its tree is done, so that a repeated tree counts once. */
  writeComments(job: Job, owner: string, comments: CommentRow[]): Promise<void> {
    return this.transactions.run(async (tx) => {
      await this.lock(job, owner, tx);
      await this.comments.upsert(job.workspaceId, comments, tx);
    });
  }

  /** Ends the walk of a post's tree. */
  finishTree(
    job: Job,
    owner: string,
    postId: string,
    counters: JobCounters,
    checkpoint: Checkpoint,
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      await this.lock(job, owner, tx);
      await this.runs.markTreeDone(job.workspaceId, job.id, postId, tx);
      await this.runs.saveBatch(job.workspaceId, job.id, counters, checkpoint, tx);
    });
  }

  private async lock(job: Job, owner: string, tx: Parameters<JobRunsRepository['lock']>[3]): Promise<void> {
    if (!(await this.runs.lock(job.workspaceId, job.id, owner, tx))) throw new LeaseLost();
  }
}
