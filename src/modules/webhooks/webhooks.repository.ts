import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Webhook } from './webhook.entity.js';

/** What a row of attempts on one destination comes to. */
export interface AttemptTally {
  id: string;
  /** Whether any of them succeeded. */
  anySuccess: boolean;
  /** Failures after the last success among them, or all of them. */
  failures: number;
  /** When the first of these failures was. */
  failingSince: Date | null;
  lastAt: Date;
}

@Injectable()
export class WebhooksRepository {
  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  async insert(webhook: Webhook): Promise<void> {
    await this.webhooks.insert(webhook);
  }

  list(workspaceId: string): Promise<Webhook[]> {
    return this.webhooks.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<Webhook | null> {
    return this.webhooks.findOneBy({ workspaceId, id });
  }

  /** The webhook, locked against other changes until the transaction ends. */
  lock(workspaceId: string, id: string, tx: EntityManager): Promise<Webhook | null> {
    return tx.findOne(Webhook, { where: { workspaceId, id }, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    workspaceId: string,
    id: string,
    changes: Partial<Omit<Webhook, 'workspaceId' | 'id'>>,
    tx: EntityManager = this.webhooks.manager,
  ): Promise<void> {
    await tx.update(Webhook, { workspaceId, id }, changes);
  }

  /** False when the workspace has no such webhook. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    const result = await this.webhooks.delete({ workspaceId, id });
    return result.affected === 1;
  }

  /** Which active webhooks want which kinds of events. */
  subscriptions(workspaceId: string): Promise<Pick<Webhook, 'id' | 'events'>[]> {
    return this.webhooks.find({ where: { workspaceId, isActive: true }, select: { id: true, events: true } });
  }

  /** Notes attempts; webhooks are locked in id order, so that two recorders cannot wait for each other. */
  async recordAttempts(
    workspaceId: string,
    tallies: readonly AttemptTally[],
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `WITH tally AS (
         SELECT * FROM json_to_recordset($2)
           AS t (id uuid, "anySuccess" boolean, failures integer, "failingSince" timestamptz, "lastAt" timestamptz)
       ), locked AS MATERIALIZED (
         SELECT id FROM webhooks WHERE workspace_id = $1 AND id IN (SELECT id FROM tally) ORDER BY id FOR UPDATE
       )
       UPDATE webhooks SET
         last_triggered_at = greatest(last_triggered_at, tally."lastAt"),
         failure_count = CASE WHEN "anySuccess" THEN failures ELSE failure_count + failures END,
         failing_since = CASE WHEN "anySuccess" THEN "failingSince" ELSE coalesce(failing_since, "failingSince") END
       FROM tally JOIN locked USING (id)
       WHERE webhooks.workspace_id = $1 AND webhooks.id = locked.id`,
      [workspaceId, JSON.stringify(tallies)],
    );
  }

  /** Switches an active webhook off; false when it was off already. */
  async disable(workspaceId: string, id: string, reason: string, tx: EntityManager): Promise<boolean> {
    const result = await tx.update(
      Webhook,
      { workspaceId, id, isActive: true },
      { isActive: false, disabledReason: reason },
    );
    return result.affected === 1;
  }
}
