import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { ExpiredCommentsRepository } from '../../content/comments/expired-comments.repository.js';
import { DeliveriesRepository } from '../../deliver/queue/deliveries.repository.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { JobsRepository } from '../../collect/jobs/jobs.repository.js';
import { MediaRepository } from '../../content/media/media.repository.js';
import { MediaStore } from '../../content/media/media-store.js';
import { ExpiredPostsRepository } from '../../content/posts/expired-posts.repository.js';
import { RecordRemoval } from '../../content/removal/record-removal.js';
import { JobLogRepository } from '../../collect/scraping/log/job-log.repository.js';
import { WorkListRepository } from '../../collect/scraping/work-list.repository.js';
import type { RetainedKind } from '../../tenants/workspaces/workspace.entity.js';

/** Rows per transaction: their locks last some tens of milliseconds. */
const BATCH = 500;
/** Posts per batch; their comments are deleted first, {@link BATCH} at a time. */
const POSTS = 100;
const EXAMINED_COMMENTS = 2_000;

/** A workspace's rows of one kind that expired before a given time. */
export interface ExpiredRows {
  workspaceId: string;
  kind: RetainedKind;
  before: Date;
  /** Position after which the next batch of comments or events begins; null to begin at the first. */
  after: TimePosition | null;
}

/** The result of a batch. */
export interface DeletedBatch {
  /** Number of deleted rows of the kind; comments and files of deleted posts are not counted. */
  deleted: number;
  /** Whether another batch may find more to delete. */
  isMore: boolean;
  /** Position after which the next batch begins. */
  after: TimePosition | null;
}

/**
 * Deletes a workspace's expired rows, with the rows and files that belong to them, in short transactions. A failed
 * batch can be repeated.
 */
@Injectable()
export class ExpiredBatches {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly posts: ExpiredPostsRepository,
    private readonly comments: ExpiredCommentsRepository,
    private readonly removal: RecordRemoval,
    private readonly media: MediaRepository,
    private readonly store: MediaStore,
    private readonly outbox: OutboxRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly jobs: JobsRepository,
    private readonly workList: WorkListRepository,
    private readonly log: JobLogRepository,
  ) {}

  /** Deletes the next batch. */
  async delete(rows: ExpiredRows): Promise<DeletedBatch> {
    switch (rows.kind) {
      case 'posts':
        return this.deletePosts(rows);
      case 'comments':
        return this.deleteComments(rows);
      case 'media':
        return this.deleteMedia(rows);
      case 'deliveries':
        return this.deleteDeliveries(rows);
      case 'jobs':
        return this.deleteJobs(rows);
    }
  }

  /** Deletes files first, then their records and the comments, and finally the posts once no comments are left. */
  private async deletePosts({ workspaceId, before }: ExpiredRows): Promise<DeletedBatch> {
    const found = await this.posts.find(workspaceId, before, POSTS);
    if (found.length === 0) return unpositioned(0, false);
    const files = await this.removal.removeFiles(workspaceId, found);
    return this.transactions.run(async (tx) => {
      await this.removal.forgetFiles(workspaceId, files, tx);
      const ids = await this.posts.lock(workspaceId, found, before, tx);
      if (ids.length === 0) return unpositioned(0, false);
      const comments = await this.comments.deleteOfPosts(workspaceId, ids, BATCH, tx);
      await this.removal.removeOfComments(workspaceId, comments, 'expiry', tx);
      if (comments.length === BATCH) return unpositioned(0, true);
      const { posts } = await this.removal.removePosts(workspaceId, ids, 'expiry', tx);
      return unpositioned(posts, found.length === POSTS);
    });
  }

  private async deleteComments({ workspaceId, before, after }: ExpiredRows): Promise<DeletedBatch> {
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

  private async deleteMedia({ workspaceId, before }: ExpiredRows): Promise<DeletedBatch> {
    const files = await this.store.removeUnshared(
      await this.media.listStoredBefore(workspaceId, before, BATCH),
    );
    if (files.length > 0) await this.transactions.run((tx) => this.media.delete(workspaceId, files, tx));
    return unpositioned(files.length, files.length === BATCH);
  }

  /** Deletes events with their deliveries; keeps events that have a pending delivery. */
  private deleteDeliveries({ workspaceId, before, after }: ExpiredRows): Promise<DeletedBatch> {
    return this.transactions.run(async (tx) => {
      const events = await this.outbox.lockRelayedOf(workspaceId, before, after, BATCH, tx);
      const pending = await this.deliveries.findPendingEvents(events, tx);
      const ended = events.filter(({ id }) => !pending.has(id));
      await this.outbox.delete(ended, tx);
      const last = events.at(-1);
      return {
        deleted: ended.length,
        isMore: events.length === BATCH,
        after: last === undefined ? null : { time: last.relayedAt, id: last.id },
      };
    });
  }

  /** Deletes ended jobs with their logs and work lists. */
  private deleteJobs({ workspaceId, before }: ExpiredRows): Promise<DeletedBatch> {
    return this.transactions.run(async (tx) => {
      const jobs = await this.jobs.deleteEndedBefore(workspaceId, before, BATCH, tx);
      await this.workList.removeAll(jobs, tx);
      await this.log.removeAll(jobs, tx);
      return unpositioned(jobs.length, jobs.length === BATCH);
    });
  }
}

const unpositioned = (deleted: number, isMore: boolean): DeletedBatch => ({ deleted, isMore, after: null });
