import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { AlertSummaryDto } from '../alert/alert.dto.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { isOverLimit, releaseTime, sentInHourOf } from '../alert/release-time.js';
import { DigestsRepository } from '../digests/digests.repository.js';
import type { NewMatch } from '../matching/alert-matches.repository.js';
import { type AlertableBatch, type Reposts, triggering } from '../matching/triggering.js';
import { withHighlights } from '../stories/event-highlights.js';

/** An alert that the transaction has locked, and the matches that trigger it. */
export interface TriggeredAlert {
  alert: Alert;
  /** The job that stored one of them. */
  jobId: string;
  /** At least one. */
  matches: readonly NewMatch[];
  reposts: Reposts;
}

/** Sends matches to webhooks and channels, or holds them back from channels. */
@Injectable()
export class MatchSender {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly digests: DigestsRepository,
    private readonly outbox: OutboxRepository,
    private readonly clock: Clock,
  ) {}

  /** Counts one triggering of each alert and appends one event; `batch` has the records of all matches. */
  async send(
    workspaceId: string,
    triggered: readonly TriggeredAlert[],
    batch: AlertableBatch,
    tx: EntityManager,
  ): Promise<void> {
    const now = this.clock.now();
    const ids = triggered.map(({ alert }) => alert.id);
    await this.alerts.countTriggering(workspaceId, ids, now, tx);
    for (const { alert, jobId, matches, reposts } of triggered) {
      const notified = matches.filter(({ postId }) => !reposts.folded.has(postId));
      // Without anything to notify, the event is for webhooks only.
      const isHeld = notified.length === 0 || (await this.hold(workspaceId, alert, notified, now, tx));
      const summary = AlertSummaryDto.from(counted(alert, now));
      const event = triggering(jobId, summary, alert.id, matches, batch, reposts);
      const data = await withHighlights(event.data, alert.query, batch);
      await this.outbox.append(workspaceId, { ...event, data, isHeld }, tx);
    }
  }

  /** Holds the matches of a locked alert back from its channel if its plan says so; returns whether it did. */
  private async hold(
    workspaceId: string,
    alert: Alert,
    matches: readonly NewMatch[],
    now: Date,
    tx: EntityManager,
  ): Promise<boolean> {
    const plan = alert.delivery;
    if (plan == null) return false;
    const { sentHour, sentInHour } = sentInHourOf(alert, now);
    const release = releaseTime(plan, now.getTime(), isOverLimit(plan, sentInHour));
    // They join a digest that is late, which would otherwise exceed the limit of the hour.
    const isHeld = release !== null || (alert.digestDueAt !== null && alert.digestDueAt <= now);
    if (isHeld)
      await this.digests.hold(
        workspaceId,
        alert.id,
        matches.map(({ postId }) => postId),
        tx,
      );
    if (!isHeld || alert.digestDueAt === null)
      await this.digests.schedule(
        workspaceId,
        alert.id,
        {
          digestDueAt: release === null ? alert.digestDueAt : new Date(release),
          sentHour,
          sentInHour: isHeld ? sentInHour : sentInHour + 1,
        },
        tx,
      );
    return isHeld;
  }
}

const counted = (alert: Alert, now: Date): Alert => ({
  ...alert,
  triggerCount: alert.triggerCount + 1,
  lastTriggeredAt: now,
});
