import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertSummaryDto } from '../alert/alert.dto.js';
import { idsByKind } from '../../content/comments/comment-keys.js';
import { withHighlights } from '../stories/event-highlights.js';
import { digestEvent, MAX_RECORDS_SENT } from '../matching/triggering.js';
import type { ReleasedMatch } from '../matching/alert-matches.repository.js';
import { DigestsRepository } from './digests.repository.js';
import { isHidden } from '../matching/match-state.js';
import { digestTime, isOverLimit, sentInHourOf } from '../alert/release-time.js';

const INTERVAL_MS = 1_000;
const AT_ONCE = 20;
/** Maximum number of posts, and of comments, that are read for a digest, and how many of them at once. */
const MAX_RECORDS = 20_000;
const READ_AT_ONCE = 500;

/**
 * Sends held notifications of channels. A digest is appended to the outbox in the transaction that releases its matches,
 * so it is sent once, whatever process ends when, and however many schedulers there are.
 */
@Injectable()
export class DigestSender extends RepeatedWork {
  constructor(
    private readonly digests: DigestsRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly outbox: OutboxRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {
    super(INTERVAL_MS, 'sending of digests failed; the next pass retries');
  }

  /** Sends the digests that are due, up to a number; returns whether there may be more. */
  override async work(): Promise<boolean> {
    const due = await this.digests.findDue(this.clock.now(), AT_ONCE);
    let sent = 0;
    for (const { workspaceId, id } of due) if (await this.send(workspaceId, id)) sent += 1;
    return due.length === AT_ONCE && sent > 0;
  }

  private send(workspaceId: string, id: string): Promise<boolean> {
    const now = this.clock.now();
    return this.transactions.run(async (tx) => {
      const alert = await this.digests.lockDue(workspaceId, id, now, tx);
      if (alert === null) return false;
      const { sentHour, sentInHour } = sentInHourOf(alert, now);
      const { delivery: plan } = alert;
      // A late digest may be due in quiet hours, or in an hour with enough notifications.
      const later = plan && digestTime(plan, now.getTime(), isOverLimit(plan, sentInHour));
      const state = {
        digestDueAt: later === null ? null : new Date(later),
        sentHour,
        sentInHour: later === null ? sentInHour + 1 : sentInHour,
      };
      await this.digests.schedule(workspaceId, id, state, tx);
      if (later !== null) return true;
      const released = await this.digests.release(workspaceId, id, tx);
      const matches = released.filter(({ relevance }) => !isHidden(relevance, alert.minRelevance));
      if (matches.length === 0) return true;
      const event = await this.eventOf(workspaceId, alert, matches);
      if (event !== null) await this.outbox.append(workspaceId, event, tx);
      return true;
    });
  }

  private async eventOf(workspaceId: string, alert: Alert, matches: readonly ReleasedMatch[]) {
    const { postIds, commentIds } = idsByKind(matches.map(({ postId }) => postId));
    const batch = {
      posts: await firstOf(
        postIds,
        (ids) => this.posts.findMany(workspaceId, ids),
        (a, b) => b.numComments - a.numComments,
      ),
      comments: await firstOf(
        commentIds,
        (ids) => this.comments.findMany(workspaceId, ids),
        (a, b) => b.score - a.score,
      ),
    };
    if (batch.posts.length + batch.comments.length === 0) return null;
    const event = digestEvent(AlertSummaryDto.from(alert), alert.id, alert.digestDueAt!, matches, batch);
    return { ...event, data: await withHighlights(event.data, alert.query, batch) };
  }
}

/** The first records in an order, as many as an event carries, of which a number is in memory at a time. */
async function firstOf<Row>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  compare: (a: Row, b: Row) => number,
): Promise<Row[]> {
  let first: Row[] = [];
  for (let at = 0; at < Math.min(ids.length, MAX_RECORDS); at += READ_AT_ONCE) {
    const found = await read(ids.slice(at, at + READ_AT_ONCE));
    first = [...first, ...found.values()].sort(compare).slice(0, MAX_RECORDS_SENT);
  }
  return first;
}
