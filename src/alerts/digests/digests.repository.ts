import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Alert } from '../alert/alert.entity.js';
import { lockDueAlert } from '../alert/lock-due-alert.js';
import type { ReleasedMatch, Scored } from '../matching/alert-matches.repository.js';

/** Held notifications: the alerts with one that is due, and its contents. */
@Injectable()
export class DigestsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Alerts with a digest that is due, longest overdue first, at most `limit`. Crosses workspaces. */
  findDue(now: Date, limit: number): Promise<Pick<Alert, 'workspaceId' | 'id'>[]> {
    return this.dataSource.query(
      `SELECT workspace_id AS "workspaceId", id FROM alerts WHERE digest_due_at <= $1
       ORDER BY digest_due_at LIMIT $2`,
      [now, limit],
    );
  }

  /** Locks an alert whose digest is due; null when it is not due any more, or another process has locked it. */
  lockDue(workspaceId: string, id: string, now: Date, tx: EntityManager): Promise<Alert | null> {
    return lockDueAlert(tx, 'digestDueAt', workspaceId, id, now);
  }

  /** Marks matches as held back from the alert's channel. */
  async hold(
    workspaceId: string,
    alertId: string,
    recordIds: readonly string[],
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `UPDATE alert_matches SET is_held = true WHERE workspace_id = $1 AND alert_id = $2 AND post_id = ANY($3)`,
      [workspaceId, alertId, recordIds],
    );
  }

  /** Releases the held matches of an alert and returns them. */
  async release(
    workspaceId: string,
    alertId: string,
    tx: EntityManager,
  ): Promise<(ReleasedMatch & Scored)[]> {
    const [rows] = await tx.query<[(ReleasedMatch & Scored)[], number]>(
      `UPDATE alert_matches SET is_held = false WHERE workspace_id = $1 AND alert_id = $2 AND is_held
       RETURNING alert_id AS "alertId", post_id AS "postId", keywords, duplicates, relevance`,
      [workspaceId, alertId],
    );
    return rows;
  }

  /** Sets when an alert's digest is due, and how often its channel was notified since an hour began. */
  async schedule(
    workspaceId: string,
    id: string,
    state: Pick<Alert, 'digestDueAt' | 'sentHour' | 'sentInHour'>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.update(Alert, { workspaceId, id }, state);
  }
}
