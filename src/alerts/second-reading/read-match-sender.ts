import { Injectable } from '@nestjs/common';
import { commentIdOf, idsByKind } from '../../content/comments/comment-keys.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { isHidden } from '../matching/match-state.js';
import type { Reading } from '../matching/second-reading.js';
import type { AlertableBatch } from '../matching/triggering.js';
import { MatchSender } from '../service/match-sender.js';
import { type ReadMatch, ReadingsRepository } from './readings.repository.js';

/** Stores second readings, and sends the matches that waited for them. */
@Injectable()
export class ReadMatchSender {
  constructor(
    private readonly readings: ReadingsRepository,
    private readonly alerts: AlertsRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly sender: MatchSender,
    private readonly transactions: RetryingTransactions,
  ) {}

  /** Ends the wait of matches and sends those that are not hidden. */
  settle(
    workspaceId: string,
    alertId: string,
    answers: ReadonlyMap<string, Reading | null>,
    signal: AbortSignal,
  ): Promise<void> {
    return this.transactions.run(signal, async (tx) => {
      const [alert] = await this.alerts.lockActive(workspaceId, [alertId], tx);
      const read = await this.readings.settle(workspaceId, alertId, answers, tx);
      if (alert === undefined) return;
      const shown = read.filter(({ relevance }) => !isHidden(relevance, alert.minRelevance));
      const { batch, stored } = await this.recordsOf(workspaceId, shown);
      if (stored.length === 0) return;
      const reposts = {
        folded: new Set(stored.filter(({ isFolded }) => isFolded).map(({ postId }) => postId)),
        counts: new Map(
          stored
            .filter(({ duplicates }) => duplicates > 0)
            .map(({ postId, duplicates }) => [postId, duplicates]),
        ),
      };
      const triggered = { alert, jobId: stored[0]!.jobId, matches: stored, reposts };
      await this.sender.send(workspaceId, [triggered], batch, tx);
    });
  }

  /** The records of matches, and the matches whose record is stored. */
  private async recordsOf(
    workspaceId: string,
    matches: readonly ReadMatch[],
  ): Promise<{ batch: AlertableBatch; stored: ReadMatch[] }> {
    const { postIds, commentIds } = idsByKind(matches.map(({ postId }) => postId));
    const [posts, comments] = await Promise.all([
      this.posts.findMany(workspaceId, postIds),
      this.comments.findMany(workspaceId, commentIds),
    ]);
    return {
      batch: { posts: [...posts.values()], comments: [...comments.values()] },
      stored: matches.filter(({ postId }) => posts.has(postId) || comments.has(commentIdOf(postId) ?? '')),
    };
  }
}
