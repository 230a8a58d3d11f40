import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../common/ids.js';
import { type EventType, type OutboxEvent, TEST_EVENT_TYPE } from './outbox-event.entity.js';

export interface NewEvent {
  type: EventType;
  uniqueKey: string;
  data: object;
}

/** An event that waits for its relay. */
export interface WaitingEvent extends Pick<OutboxEvent, 'workspaceId' | 'id' | 'type'> {
  /** Of the alert that triggered, as it is shown. */
  subjectId: string | null;
}

@Injectable()
export class OutboxRepository {
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

  /**
   * Takes the oldest events that no relay holds, until the transaction ends: a relay that dies gives them back with its
   * connection. Crosses workspaces.
   */
  take(limit: number, tx: EntityManager): Promise<WaitingEvent[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", id, type,
         CASE WHEN type = 'alert.triggered' THEN data ->> 'id' END AS "subjectId"
       FROM outbox_events WHERE relayed_at IS NULL ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit],
    );
  }

  /** Notes that every delivery of these events is written, in the transaction that wrote them. */
  async markRelayed(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE outbox_events SET relayed_at = now()
       WHERE workspace_id = $1 AND id = ANY($2)`,
      [workspaceId, ids],
    );
  }
}
