import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { AlertSubscription } from './alert-subscription.entity.js';

/** Reads and writes `alert_subscriptions`: which members are notified of which alerts. */
@Injectable()
export class SubscriptionsRepository {
  constructor(@InjectRepository(AlertSubscription) private readonly rows: Repository<AlertSubscription>) {}

  /** The members who are notified of these alerts, by alert. */
  async membersOf(
    workspaceId: string,
    alertIds: readonly string[],
    tx: EntityManager,
  ): Promise<Map<string, string[]>> {
    if (alertIds.length === 0) return new Map();
    const found = await tx.query<{ alertId: string; memberIds: string[] }[]>(
      `SELECT alert_id AS "alertId", array_agg(member_id::text ORDER BY member_id) AS "memberIds"
       FROM alert_subscriptions WHERE workspace_id = $1 AND alert_id = ANY ($2) GROUP BY alert_id`,
      [workspaceId, alertIds],
    );
    return new Map(found.map(({ alertId, memberIds }) => [alertId, memberIds]));
  }

  /** The alerts of which a member is notified, in the order of their ids. */
  async alertsOf(
    workspaceId: string,
    memberId: string,
    tx: EntityManager = this.rows.manager,
  ): Promise<string[]> {
    const found = await tx.find(AlertSubscription, {
      where: { workspaceId, memberId },
      order: { alertId: 'ASC' },
    });
    return found.map(({ alertId }) => alertId);
  }

  /** Whether a member is notified of an alert. */
  has(workspaceId: string, memberId: string, alertId: string): Promise<boolean> {
    return this.rows.existsBy({ workspaceId, memberId, alertId });
  }

  /** Number of subscriptions of all members. */
  count(workspaceId: string, tx: EntityManager = this.rows.manager): Promise<number> {
    return tx.countBy(AlertSubscription, { workspaceId });
  }

  /** Notifies a member of alerts, which must exist. */
  async add(
    workspaceId: string,
    memberId: string,
    alertIds: readonly string[],
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO alert_subscriptions (workspace_id, alert_id, member_id)
       SELECT $1, alert_id, $2 FROM unnest($3::uuid[]) AS given (alert_id) ON CONFLICT DO NOTHING`,
      [workspaceId, memberId, alertIds],
    );
  }

  /** Notifies a member of these alerts no longer. */
  async remove(
    workspaceId: string,
    memberId: string,
    alertIds: readonly string[],
    tx: EntityManager = this.rows.manager,
  ): Promise<void> {
    await tx.delete(AlertSubscription, { workspaceId, memberId, alertId: In([...alertIds]) });
  }
}
