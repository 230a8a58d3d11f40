import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../common/ids.js';
import { type EventType, type OutboxEvent, TEST_EVENT_TYPE } from './outbox-event.entity.js';

export interface NewEvent {
  type: EventType;
  uniqueKey: string;
  data: object;
}

/** An event that waits for its relay. */
export interface WaitingEvent extends Pick<OutboxEvent, 'workspaceId' | 'id' | 'type'> {
  /** `id` of what the event tells about, as it is shown. */
  subjectId: string | null;
}

@Injectable()
export class OutboxRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Appends an event in the transaction of what it tells; does nothing when its unique key is there already. */
  async append(workspaceId: string, event: NewEvent, tx: EntityManager): Promise<void> {
    await tx.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, data)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (workspace_id, unique_key) DO NOTHING`,
      [workspaceId, newId(), event.type, event.uniqueKey, JSON.stringify(event.data)],
    );
  }

  /** Appends a test for one destination; whoever asks for it addresses it, so no relay will. */
  async appendTest(
    workspaceId: string,
    data: object,
    tx: EntityManager,
  ): Promise<Pick<OutboxEvent, 'id' | 'type'>> {
    const id = newId();
    await tx.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, data, relayed_at)
       VALUES ($1, $2, $3, $4, $5, now())`,
      [workspaceId, id, TEST_EVENT_TYPE, `test:${id}`, JSON.stringify(data)],
    );
    return { id, type: TEST_EVENT_TYPE };
  }

  /** Leases the oldest events that no relay holds; one that is not marked in time is leased again. Crosses workspaces. */
  lease(limit: number, leaseMs: number): Promise<WaitingEvent[]> {
    return this.dataSource.query(
      `WITH waiting AS MATERIALIZED (
         SELECT workspace_id, id FROM outbox_events
         WHERE relayed_at IS NULL AND (leased_until IS NULL OR leased_until < now())
         ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
       ), leased AS (
         UPDATE outbox_events AS events SET leased_until = now() + $2 * interval '1 millisecond'
         FROM waiting WHERE events.workspace_id = waiting.workspace_id AND events.id = waiting.id
         RETURNING events.*
       )
       SELECT workspace_id AS "workspaceId", id, type, data ->> 'id' AS "subjectId" FROM leased ORDER BY created_at`,
      [limit, leaseMs],
    );
  }

  /** Notes that every delivery of these events is written, in the transaction that wrote them. */
  async markRelayed(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE outbox_events SET relayed_at = now(), leased_until = NULL
       WHERE workspace_id = $1 AND id = ANY($2) AND relayed_at IS NULL`,
      [workspaceId, ids],
    );
  }
}
