import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DatabaseClock } from '../../database/database-clock.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { ItemFaults, lookUpInParts } from '../../platforms/item-faults.js';
import { SOURCES } from '../../platforms/registry.js';
import {
  type ContentLookup,
  DELETED,
  type GoneComment,
  type GonePost,
  type GoneReason,
  type PlatformSession,
} from '../../platforms/platform.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { RecordRemoval } from '../../content/removal/record-removal.js';
import type { ContentRecheck } from './content-recheck.entity.js';
import { ContentRechecksRepository } from './content-rechecks.repository.js';
import { RecheckMetrics } from './recheck-metrics.js';

/** Content older than this is not rechecked. */
const MAX_AGE_MS = 90 * 86_400_000;
/** Posts or comments per batch. */
const BATCH_ROWS = 100;
/** Threads per batch; each one costs a request. */
const BATCH_THREADS = 10;
/** Threads that fail in a row before the batch is postponed. */
const MAX_FAILED_THREADS = 3;

/** The current time and the recheck interval; one clock for all processes. */
export interface RecheckTimes {
  now: Date;
  /** Milliseconds from the start of one pass to the start of the next. */
  intervalMs: number;
}

/** The rows of a batch, and which of them are gone. */
interface Batch {
  last: TimePosition | null;
  checked: number;
  isLast: boolean;
  posts: GonePost[];
  comments: GoneComment[];
}

/**
 * Rechecks one batch of a workspace's stored content: overwrites content that the platform now shows as deleted or removed, and
 * deletes the media files of posts that were taken down. Repeating a batch after a failure has no further effect.
 */
@Injectable()
export class ContentRechecker {
  private readonly logger = new Logger(ContentRechecker.name);

  constructor(
    private readonly rechecks: ContentRechecksRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly removal: RecordRemoval,
    private readonly analyzer: TextAnalyzer,
    private readonly transactions: RetryingTransactions,
    private readonly clock: DatabaseClock,
    private readonly metrics: RecheckMetrics,
  ) {}

  /**
   * Throws the platform's errors, and the signal's reason when it aborts; the batch must then be repeated. What alone
   * cannot be looked up is left to the next pass.
   */
  async check(
    recheck: ContentRecheck,
    lookup: ContentLookup,
    { now, intervalMs }: RecheckTimes,
    signal: AbortSignal,
  ): Promise<void> {
    const { workspaceId, source, kind, afterTime, afterId } = recheck;
    const passStartedAt = recheck.passStartedAt ?? now;
    const since = new Date(passStartedAt.getTime() - MAX_AGE_MS);
    const session: PlatformSession = { signal, workspaceId, priority: 'low', onRequest: () => undefined };
    const after = { time: afterTime ?? since.toISOString(), id: afterId ?? '' };
    const batch =
      kind === 'posts'
        ? await this.readPosts(workspaceId, lookup, after, session)
        : await this.readComments(workspaceId, lookup, since, after, session);
    const knownAt = await this.clock.now();
    const files = await this.removeFiles(workspaceId, batch.posts);
    const gone = await this.transactions.run(signal, async (tx) => {
      const counts = await this.overwrite(workspaceId, batch, knownAt, tx);
      await this.removal.forgetFiles(workspaceId, files, tx);
      await this.rechecks.save(
        workspaceId,
        { source, kind },
        {
          ...(batch.isLast || batch.last === null
            ? {
                dueAt: new Date(passStartedAt.getTime() + intervalMs),
                passStartedAt: null,
                afterTime: null,
                afterId: null,
              }
            : { dueAt: now, passStartedAt, afterTime: batch.last.time, afterId: batch.last.id }),
          checked: batch.checked,
          gone: counts,
        },
        tx,
      );
      return counts;
    });
    this.metrics.count({ source, kind }, batch.checked, gone);
    if (Object.values(gone).some((count) => count > 0))
      this.logger.log({ workspaceId, source, kind, ...gone, files: files.length }, 'deleted content purged');
  }

  /** Overwrites content that a stream reports as gone. Throws the signal's reason when it aborts. */
  async overwriteGone(
    workspaceId: string,
    posts: GonePost[],
    comments: GoneComment[],
    signal: AbortSignal,
  ): Promise<void> {
    const knownAt = await this.clock.now();
    const files = await this.removeFiles(workspaceId, posts);
    await this.transactions.run(signal, async (tx) => {
      await this.overwrite(workspaceId, { posts, comments }, knownAt, tx);
      await this.removal.forgetFiles(workspaceId, files, tx);
    });
  }

  private async readPosts(
    workspaceId: string,
    lookup: ContentLookup,
    after: TimePosition,
    session: PlatformSession,
  ): Promise<Batch> {
    const rows = await this.posts.listCreatedAfter(workspaceId, lookup.prefixes.post, after, BATCH_ROWS);
    const stored = await this.posts.summaries(
      workspaceId,
      rows.map(({ id }) => id),
    );
    // Skips posts that have nothing left to overwrite: their title is already replaced, as for posts that the source no
    // longer knows at all.
    const ids = [...stored.values()]
      .filter(({ id, title }) => title !== DELETED && SOURCES.ofId(id)?.ids.post === lookup.prefixes.post)
      .map(({ id }) => id);
    const posts = await lookUpInParts(ids, (part) => lookup.findGonePosts(part, session));
    return { ...extent(rows, BATCH_ROWS), posts, comments: [] };
  }

  private async readComments(
    workspaceId: string,
    lookup: ContentLookup,
    since: Date,
    after: TimePosition,
    session: PlatformSession,
  ): Promise<Batch> {
    const prefix = lookup.prefixes.comment;
    const comments: GoneComment[] = [];
    if (lookup.commentsBy === 'thread') {
      const threads = await this.comments.listThreadsAfter(workspaceId, prefix, since, after, BATCH_THREADS);
      const faults = new ItemFaults(MAX_FAILED_THREADS);
      for (const { postId, commentIds } of threads.filter((thread) => thread.commentIds.length > 0))
        try {
          comments.push(...(await lookup.findGoneComments(commentIds, postId, session)));
          faults.succeeded();
        } catch (error) {
          if (!faults.passesOver(error)) throw error;
        }
      faults.finish();
      return { ...extent(threads, BATCH_THREADS), posts: [], comments };
    }
    const rows = await this.comments.listCreatedAfter(workspaceId, prefix, after, BATCH_ROWS);
    const ids = rows.map(({ commentId }) => commentId);
    comments.push(...(await lookUpInParts(ids, (part) => lookup.findGoneComments(part, '', session))));
    return { ...extent(rows, BATCH_ROWS), posts: [], comments };
  }

  /** Removes the stored files of posts that were taken down; returns the ids of their records. */
  private async removeFiles(workspaceId: string, posts: readonly GonePost[]): Promise<string[]> {
    const ids = posts.filter(({ reason }) => reason !== 'account_deleted').map(({ id }) => id);
    if (ids.length === 0) return [];
    return this.removal.removeFiles(workspaceId, ids);
  }

  /**
   * Returns how many rows changed, by reason. In doubt a deletion counts: it has the time at which it was known, texts
   * have that at which their reading began.
   */
  private async overwrite(
    workspaceId: string,
    { posts, comments }: Pick<Batch, 'posts' | 'comments'>,
    knownAt: Date,
    tx: EntityManager,
  ): Promise<Record<GoneReason, number>> {
    const counts = { deleted: 0, removed: 0, account_deleted: 0 };
    const reasons = new Map([...posts, ...comments].map(({ id, reason }) => [id, reason]));
    const changed: string[] = [];
    if (posts.length > 0) {
      const rows = posts.map((shown) => {
        const { sentiment, keywords } = this.analyzer.analyzePost(shown.title, shown.selftext);
        const { score: sentimentScore, label: sentimentLabel } = sentiment;
        return { ...shown, sentimentScore, sentimentLabel, keywords };
      });
      changed.push(...(await this.posts.overwriteGone(workspaceId, rows, knownAt, tx)));
    }
    if (comments.length > 0) {
      const rows = comments.map(({ id, author, body }) => {
        const { score: sentimentScore, label: sentimentLabel } = this.analyzer.scoreComment(body);
        return {
          id: SOURCES.commentNumber(id),
          commentId: id,
          author,
          body,
          sentimentScore,
          sentimentLabel,
        };
      });
      changed.push(...(await this.comments.overwriteGone(workspaceId, rows, knownAt, tx)));
    }
    for (const id of changed) counts[reasons.get(id)!] += 1;
    return counts;
  }
}

/** A batch with fewer rows than its limit is the last of its pass. */
function extent(rows: readonly TimePosition[], limit: number): Pick<Batch, 'last' | 'checked' | 'isLast'> {
  return { last: rows.at(-1) ?? null, checked: rows.length, isLast: rows.length < limit };
}
