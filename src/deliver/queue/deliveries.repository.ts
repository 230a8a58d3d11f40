import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { newId } from '../../common/ids.js';
import type { OutboxEvent } from '../../messages/outbox/outbox-event.entity.js';
import type { EventReference } from '../../messages/outbox/outbox.repository.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';
import type { Destination } from './destination.js';

/** A delivery to add: one event to one destination. */
export interface NewDelivery extends Pick<Destination, 'kind' | 'id'> {
  event: Pick<OutboxEvent, 'id' | 'type'>;
}

/** A delivery that was added. */
export type AddedDelivery = Destination & { deliveryId: string };

/** Adds, lists and restarts deliveries. `DeliveryClaimsRepository` claims and records them for sending. */
@Injectable()
export class DeliveriesRepository {
  constructor(@InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>) {}

  /**
   * Adds deliveries, at most one for each event and destination; returns those that were added. Call {@link makeDue} in
   * the same transaction, otherwise they are not sent.
   */
  async insert(
    workspaceId: string,
    deliveries: readonly NewDelivery[],
    tx: EntityManager,
  ): Promise<AddedDelivery[]> {
    if (deliveries.length === 0) return [];
    const rows = deliveries.map(({ kind, id, event }) => ({
      id: newId(),
      event_id: event.id,
      event_type: event.type,
      destination_kind: kind,
      destination_id: id,
    }));
    return tx.query<AddedDelivery[]>(
      `INSERT INTO deliveries
         (workspace_id, id, event_id, event_type, destination_kind, destination_id, next_attempt_at)
       SELECT $1, row.*, now() FROM json_to_recordset($2)
         AS row (id uuid, event_id uuid, event_type text, destination_kind text, destination_id uuid)
       ORDER BY row.event_id, row.destination_kind, row.destination_id
       ON CONFLICT (workspace_id, event_id, destination_kind, destination_id) DO NOTHING
       RETURNING id AS "deliveryId", workspace_id AS "workspaceId", destination_kind AS kind, destination_id AS id`,
      [workspaceId, JSON.stringify(rows)],
    );
  }

  /** A page of a destination's deliveries, newest first, and the total number of matching ones. */
  list(
    { workspaceId, kind, id }: Destination,
    filter: { status?: DeliveryStatus },
    page: { limit: number; offset: number },
  ): Promise<[Delivery[], number]> {
    return this.deliveries.findAndCount({
      where: {
        workspaceId,
        destinationKind: kind,
        destinationId: id,
        ...(filter.status !== undefined && { status: filter.status }),
      },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
  }

  /**
   * The delivery with its recorded attempts, read in the same snapshot as their number; null when this destination has
   * no such delivery.
   */
  find({ workspaceId, kind, id }: Destination, deliveryId: string): Promise<Delivery | null> {
    return this.deliveries
      .createQueryBuilder('delivery')
      .addSelect('delivery.history')
      .where({ workspaceId, id: deliveryId, destinationKind: kind, destinationId: id })
      .getOne();
  }

  /** Makes a delivery due now and restarts its retry schedule; has no effect while it is being sent. */
  async restart(destination: Destination, deliveryId: string, tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE deliveries SET status = 'pending', schedule_position = 0, next_attempt_at = now(), lease_owner = NULL,
         leased_until = NULL, completed_at = NULL
       WHERE workspace_id = $1 AND id = $2 AND (leased_until IS NULL OR leased_until < now())`,
      [destination.workspaceId, deliveryId],
    );
    await this.makeDue(destination.workspaceId, [destination], tx);
  }

  /** The ids of the given events that have a pending delivery. Crosses workspaces. */
  async findPendingEvents(events: readonly EventReference[], tx: EntityManager): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }[]>(
      `SELECT DISTINCT event_id AS id FROM deliveries
       JOIN json_to_recordset($1) AS given (workspace_id uuid, id uuid)
         ON deliveries.workspace_id = given.workspace_id AND event_id = given.id
       WHERE status = 'pending'`,
      [JSON.stringify(events.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })))],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Removes receivers' responses from the attempts of events, because they may repeat the payload. */
  async forgetErrors(workspaceId: string, eventIds: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE deliveries SET error = CASE WHEN error IS NULL THEN NULL ELSE '' END, history = (
         SELECT coalesce(jsonb_agg(attempt || '{"error": null}' ORDER BY place), '[]')
         FROM jsonb_array_elements(history) WITH ORDINALITY AS attempts (attempt, place))
       WHERE workspace_id = $1 AND event_id = ANY ($2)
         AND (error IS NOT NULL OR jsonb_path_exists(history, '$[*].error ? (@ != null)'))`,
      [workspaceId, eventIds],
    );
  }

  /**
   * Deletes the queues of destinations that have been idle since before a time; returns their number. Crosses
   * workspaces.
   */
  async deleteIdleQueues(before: Date, limit: number): Promise<number> {
    const [, deleted] = await this.deliveries.query<[unknown[], number]>(
      `DELETE FROM destination_queues WHERE (workspace_id, destination_kind, destination_id) IN (
         SELECT workspace_id, destination_kind, destination_id FROM destination_queues
         WHERE due_at IS NULL AND idle_since < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
       )`,
      [before, limit],
    );
    return deleted;
  }

  /**
   * Makes destination queues due now. Rows are locked in key order, so that two relays cannot deadlock. Call this last
   * in a transaction, because claims skip locked queues.
   */
  async makeDue(
    workspaceId: string,
    destinations: readonly Pick<Destination, 'kind' | 'id'>[],
    tx: EntityManager,
  ): Promise<void> {
    if (destinations.length === 0) return;
    await tx.query(
      `INSERT INTO destination_queues AS queues (workspace_id, destination_kind, destination_id, due_at)
       SELECT DISTINCT $1::uuid, kind, id, now() FROM json_to_recordset($2) AS row (kind text, id uuid)
       ORDER BY kind, id
       ON CONFLICT (workspace_id, destination_kind, destination_id)
         DO UPDATE SET due_at = least(queues.due_at, excluded.due_at)`,
      [workspaceId, JSON.stringify(destinations.map(({ kind, id }) => ({ kind, id })))],
    );
  }
}
