import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../common/ids.js';
import {
  type EventType,
  type OutboxEvent,
  type SubjectKind,
  TEST_EVENT_TYPE,
} from './outbox-event.entity.js';

/** An event to append to the outbox. */
export interface NewEvent {
  type: EventType;
  /** Identifies the occurrence within the workspace; an event is stored once for each key. */
  uniqueKey: string;
  subjectKind: SubjectKind;
  /** Id of the subject, without its prefix. */
  subjectId: string;
  /** The payload, as receivers get it. */
  data: object;
}

/** An event that is not yet relayed. */
export type WaitingEvent = Pick<OutboxEvent, 'workspaceId' | 'id' | 'type' | 'subjectKind' | 'subjectId'>;

@Injectable()
export class OutboxRepository {
  /** Appends an event in the transaction of the change it reports; does nothing when its unique key is stored already. */
  async append(workspaceId: string, event: NewEvent, tx: EntityManager): Promise<void> {
    await tx.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (workspace_id, unique_key) DO NOTHING`,
      [
        workspaceId,
        newId(),
        event.type,
        event.uniqueKey,
        event.subjectKind,
        event.subjectId,
        JSON.stringify(event.data),
      ],
    );
  }

  /** Appends a test event for one webhook, marked as relayed: the caller adds its only delivery in the same transaction. */
  async appendTest(
    workspaceId: string,
    webhookId: string,
    data: object,
    tx: EntityManager,
  ): Promise<Pick<OutboxEvent, 'id' | 'type'>> {
    const id = newId();
    await tx.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relayed_at)
       VALUES ($1, $2, $3, $4, 'webhook', $5, $6, now())`,
      [workspaceId, id, TEST_EVENT_TYPE, `test:${id}`, webhookId, JSON.stringify(data)],
    );
    return { id, type: TEST_EVENT_TYPE };
  }

  /**
   * Takes the oldest events that no relay holds, until the transaction ends: a relay that dies gives them back with its
   * connection. Crosses workspaces.
   */
  take(limit: number, tx: EntityManager): Promise<WaitingEvent[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", id, type, subject_kind AS "subjectKind", subject_id AS "subjectId"
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
