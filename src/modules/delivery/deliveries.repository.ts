import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { newId } from '../../common/ids.js';
import type { OutboxEvent } from '../events/outbox-event.entity.js';
import { Delivery, type DeliveryAttempt, type DeliveryStatus } from './delivery.entity.js';
import type { Destination } from './destination.js';

export interface NewDelivery extends Pick<Destination, 'kind' | 'id'> {
  event: Pick<OutboxEvent, 'id' | 'type'>;
}

export type AddedDelivery = Destination & { deliveryId: string };

/** Deliveries as they come to be and as their owners see them. Sending is in `DeliveryClaimsRepository`. */
@Injectable()
export class DeliveriesRepository {
  constructor(@InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>) {}

  /**
   * Adds deliveries, each (event, destination) at most once; returns the added ones. They are due once
   * {@link makeDue} tells the pollers, in the same transaction.
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

  /** Newest first, with the number of all that match. */
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

  find({ workspaceId, kind, id }: Destination, deliveryId: string): Promise<Delivery | null> {
    return this.deliveries.findOneBy({
      workspaceId,
      id: deliveryId,
      destinationKind: kind,
      destinationId: id,
    });
  }

  /** The first first. */
  async history(workspaceId: string, deliveryId: string): Promise<DeliveryAttempt[]> {
    const row = await this.deliveries.findOne({
      where: { workspaceId, id: deliveryId },
      select: { history: true },
    });
    return row?.history ?? [];
  }

  /** Makes a delivery due now, with all attempts before it; one that is being sent is left alone. */
  async restart(destination: Destination, deliveryId: string, tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE deliveries SET status = 'pending', schedule_position = 0, next_attempt_at = now(), lease_owner = NULL,
         leased_until = NULL, completed_at = NULL
       WHERE workspace_id = $1 AND id = $2 AND (leased_until IS NULL OR leased_until < now())`,
      [destination.workspaceId, deliveryId],
    );
    await this.makeDue(destination.workspaceId, [destination], tx);
  }

  /**
   * Forgets events that were relayed before a time, with their deliveries, unless one is still under way.
   * Crosses workspaces. Returns how many went.
   */
  async prune(before: Date, limit: number): Promise<number> {
    const [, gone] = await this.deliveries.query<[unknown[], number]>(
      `WITH old AS MATERIALIZED (
         SELECT workspace_id, id FROM outbox_events AS events WHERE relayed_at < $1
           AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.workspace_id = events.workspace_id
             AND deliveries.event_id = events.id AND deliveries.status = 'pending')
         ORDER BY relayed_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM outbox_events USING old
       WHERE outbox_events.workspace_id = old.workspace_id AND outbox_events.id = old.id`,
      [before, limit],
    );
    return gone;
  }

  /**
   * Puts destinations before the pollers. Rows are locked in order, so that two relays cannot wait for each other, and
   * claims pass by what is locked: do it last in a transaction.
   */
  async makeDue(
    workspaceId: string,
    destinations: readonly Pick<Destination, 'kind' | 'id'>[],
    tx: EntityManager,
  ): Promise<void> {
    if (destinations.length === 0) return;
    await tx.query(
      `INSERT INTO delivery_lanes AS lanes (workspace_id, destination_kind, destination_id, due_at)
       SELECT DISTINCT $1::uuid, kind, id, now() FROM json_to_recordset($2) AS row (kind text, id uuid)
       ORDER BY kind, id
       ON CONFLICT (workspace_id, destination_kind, destination_id)
         DO UPDATE SET due_at = least(lanes.due_at, excluded.due_at)`,
      [workspaceId, JSON.stringify(destinations.map(({ kind, id }) => ({ kind, id })))],
    );
  }
}
