import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { queryPrepared } from '../../database/prepared-query.js';
import { Webhook } from './webhook.entity.js';

/** Summary of several attempts on one destination. */
export interface AttemptSummary {
  id: string;
  /** Whether any attempt succeeded. */
  anySuccess: boolean;
  /** Number of failures after the last success, or of all attempts when none succeeded. */
  failures: number;
  /** Time of the first of these failures; null when there is none. */
  failingSince: Date | null;
  /** Time of the last attempt. */
  lastAt: Date;
}

/** The encrypted columns of a webhook. */
export type SealedSecrets = Pick<
  Webhook,
  'workspaceId' | 'id' | 'sealedUrl' | 'sealedSecret' | 'sealedPreviousSecret'
>;

/** Stores webhooks and their delivery status. */
@Injectable()
export class WebhooksRepository {
  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  async insert(webhook: Webhook, tx: EntityManager): Promise<void> {
    await tx.insert(Webhook, webhook);
  }

  /** Number of webhooks. */
  count(workspaceId: string, tx: EntityManager = this.webhooks.manager): Promise<number> {
    return tx.countBy(Webhook, { workspaceId });
  }

  list(workspaceId: string): Promise<Webhook[]> {
    return this.webhooks.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<Webhook | null> {
    return this.webhooks.findOneBy({ workspaceId, id });
  }

  /**
   * Returns the webhook with its row locked until the transaction ends; null when the workspace has no such webhook.
   */
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

  /** Deletes a webhook; false when the workspace has no such webhook. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    const result = await this.webhooks.delete({ workspaceId, id });
    return result.affected === 1;
  }

  /** The active webhooks and the event types to which they subscribe, ordered by id. */
  subscriptions(workspaceId: string, tx: EntityManager): Promise<Pick<Webhook, 'id' | 'events'>[]> {
    return tx.query('SELECT id, events FROM webhooks WHERE workspace_id = $1 AND is_active ORDER BY id', [
      workspaceId,
    ]);
  }

  /** Records attempts on webhooks. Rows are locked in id order, so that two transactions cannot deadlock. */
  async recordAttempts(
    workspaceId: string,
    summaries: readonly AttemptSummary[],
    tx: EntityManager,
  ): Promise<void> {
    await queryPrepared(tx, RECORD_ATTEMPTS, [workspaceId, JSON.stringify(summaries)]);
  }

  /**
   * Up to `limit` webhooks after `after`, ordered by id, that have a URL or secret without the prefix `prefix`. Crosses
   * workspaces.
   */
  findSealedOtherwise(prefix: string, after: SealedSecrets | null, limit: number): Promise<SealedSecrets[]> {
    return this.webhooks.query(
      `SELECT workspace_id AS "workspaceId", id, sealed_url AS "sealedUrl", sealed_secret AS "sealedSecret",
         sealed_previous_secret AS "sealedPreviousSecret"
       FROM webhooks
       WHERE (NOT starts_with(sealed_url, $1) OR NOT starts_with(sealed_secret, $1) OR NOT starts_with(sealed_previous_secret, $1))
         AND ($2::uuid IS NULL OR (workspace_id, id) > ($2, $3::uuid))
       ORDER BY workspace_id, id LIMIT $4`,
      [prefix, after?.workspaceId ?? null, after?.id ?? null, limit],
    );
  }

  /** Replaces the encrypted secrets of a webhook; has no effect when they no longer equal `former`. */
  async replaceSealed(workspaceId: string, former: SealedSecrets, next: SealedSecrets): Promise<void> {
    await this.webhooks.query(
      `UPDATE webhooks SET sealed_secret = $5, sealed_previous_secret = $6, sealed_url = $8
       WHERE workspace_id = $1 AND id = $2 AND sealed_secret IS NOT DISTINCT FROM $3
         AND sealed_previous_secret IS NOT DISTINCT FROM $4 AND sealed_url = $7`,
      [
        workspaceId,
        former.id,
        former.sealedSecret,
        former.sealedPreviousSecret,
        next.sealedSecret,
        next.sealedPreviousSecret,
        former.sealedUrl,
        next.sealedUrl,
      ],
    );
  }

  /** Disables an active webhook; false when it was not active. */
  async disable(workspaceId: string, id: string, reason: string, tx: EntityManager): Promise<boolean> {
    const result = await tx.update(
      Webhook,
      { workspaceId, id, isActive: true },
      { isActive: false, disabledReason: reason },
    );
    return result.affected === 1;
  }
}

const RECORD_ATTEMPTS = {
  name: 'record_webhook_attempts',
  text: `
    WITH summary AS (
      SELECT * FROM json_to_recordset($2)
        AS s (id uuid, "anySuccess" boolean, failures integer, "failingSince" timestamptz, "lastAt" timestamptz)
    ), locked AS MATERIALIZED (
      SELECT id FROM webhooks WHERE workspace_id = $1 AND id IN (SELECT id FROM summary) ORDER BY id FOR UPDATE
    )
    UPDATE webhooks SET
      last_triggered_at = greatest(last_triggered_at, summary."lastAt"),
      failure_count = CASE WHEN "anySuccess" THEN failures ELSE failure_count + failures END,
      failing_since = CASE WHEN "anySuccess" THEN "failingSince" ELSE coalesce(failing_since, "failingSince") END
    FROM summary JOIN locked USING (id)
    WHERE webhooks.workspace_id = $1 AND webhooks.id = locked.id`,
};
