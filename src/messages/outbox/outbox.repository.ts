import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../common/ids.js';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { type Backlog, backlogColumns } from '../../database/backlog.js';
import { queryPrepared } from '../../database/prepared-query.js';
import { type AnyEventType, EVENTS, type TestEventType } from './event-types.js';
import type { OutboxEvent } from './outbox-event.entity.js';

/** An event to append to the outbox. */
export interface NewEvent {
  type: Exclude<AnyEventType, TestEventType>;
  /** Identifies the occurrence within the workspace; only one event is stored per key. */
  uniqueKey: string;
  /** Id of the subject, without its prefix. */
  subjectId: string;
  /** The payload, as sent to receivers. */
  data: object;
  /** Whether only webhooks receive it, because the alert's channel and people get it in a digest. */
  isHeld?: boolean;
  /** When it is relayed; absent for at once. */
  notBefore?: Date;
}

/** An event that has not been relayed yet. */
export type WaitingEvent = Pick<
  OutboxEvent,
  'workspaceId' | 'id' | 'type' | 'subjectKind' | 'subjectId' | 'fanOutAfter'
>;

/** Identifies an event. */
export type EventReference = Pick<OutboxEvent, 'workspaceId' | 'id'>;

/** A relayed event, and the time by which relayed events are paged. */
export interface RelayedEvent extends EventReference {
  /** Timestamp as text, because a `Date` would lose the microseconds. */
  relayedAt: string;
}

/** The parts of an event that are delivered. */
export interface EventPayload extends Pick<
  OutboxEvent,
  'id' | 'type' | 'createdAt' | 'subjectKind' | 'subjectId'
> {
  /** JSON text. */
  data: string;
}

/** Before every webhook: a fan-out that continues here has passed the channel and the people of an alert. */
export const BEFORE_WEBHOOKS = '00000000-0000-0000-0000-000000000000';

/** Stores events in the transaction of the change they report, and keeps them until they are relayed and pruned. */
@Injectable()
export class OutboxRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The backlog of events that are neither relayed nor set aside nor held for later. Crosses workspaces. */
  async backlog(): Promise<Backlog> {
    const [row] = await this.dataSource.query<[Backlog]>(
      `SELECT ${backlogColumns('created_at')} FROM outbox_events
       WHERE relayed_at IS NULL AND set_aside_at IS NULL
         AND (relay_failures > 0 OR relay_not_before IS NULL OR relay_not_before <= now())`,
    );
    return row;
  }

  /** The number of events that were set aside. Crosses workspaces. */
  async countSetAside(): Promise<number> {
    const [row] = await this.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::integer AS count FROM outbox_events WHERE set_aside_at IS NOT NULL',
    );
    return row.count;
  }

  /** Appends an event in the transaction of the change it reports; has no effect when its unique key already exists. */
  async append(workspaceId: string, event: NewEvent, tx: EntityManager): Promise<void> {
    await tx.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, fan_out_after, relay_not_before)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (workspace_id, unique_key) DO NOTHING`,
      [
        workspaceId,
        newId(),
        event.type,
        event.uniqueKey,
        EVENTS[event.type].subject,
        event.subjectId,
        JSON.stringify(event.data),
        event.isHeld === true ? BEFORE_WEBHOOKS : null,
        event.notBefore ?? null,
      ],
    );
  }

  /**
   * Appends a test event for one destination, already marked as relayed: the caller adds its only delivery in the same
   * transaction.
   */
  async appendTest(
    workspaceId: string,
    type: TestEventType,
    subjectId: string,
    data: object,
    tx: EntityManager,
  ): Promise<Pick<OutboxEvent, 'id' | 'type'>> {
    const id = newId();
    await tx.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relayed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
      [workspaceId, id, type, `test:${id}`, EVENTS[type].subject, subjectId, JSON.stringify(data)],
    );
    return { id, type };
  }

  /**
   * Up to `limit` workspaces with waiting events, ordered by id and starting after the workspace `after`. Each costs
   * one index lookup, however many events wait. Crosses workspaces.
   */
  async findWaitingWorkspaces(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `WITH RECURSIVE waiting AS (
         (SELECT workspace_id AS id, 1 AS position FROM outbox_events
           WHERE relayed_at IS NULL AND set_aside_at IS NULL AND ($1::uuid IS NULL OR workspace_id > $1)
           ORDER BY workspace_id LIMIT 1)
         UNION ALL
         SELECT next.id, waiting.position + 1 FROM waiting CROSS JOIN LATERAL (
           SELECT workspace_id AS id FROM outbox_events
           WHERE relayed_at IS NULL AND set_aside_at IS NULL AND workspace_id > waiting.id
           ORDER BY workspace_id LIMIT 1
         ) AS next
         WHERE waiting.position < $2
       )
       SELECT id FROM waiting`,
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks the oldest waiting events until the transaction ends, skipping those that another relay has locked. */
  lockWaiting(workspaceId: string, limit: number, tx: EntityManager): Promise<WaitingEvent[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", id, type, subject_kind AS "subjectKind", subject_id AS "subjectId",
         fan_out_after AS "fanOutAfter"
       FROM outbox_events
       WHERE workspace_id = $1 AND relayed_at IS NULL AND set_aside_at IS NULL
         AND (relay_not_before IS NULL OR relay_not_before <= now())
       ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [workspaceId, limit],
    );
  }

  /** Marks events as relayed, in the transaction that added their deliveries. */
  async markRelayed(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE outbox_events SET relayed_at = now()
       WHERE workspace_id = $1 AND id = ANY($2)`,
      [workspaceId, ids],
    );
  }

  /** Records the last webhook that an event was fanned out to, in the transaction that added those deliveries. */
  async markPartlyRelayed(
    workspaceId: string,
    id: string,
    afterWebhookId: string,
    tx: EntityManager,
  ): Promise<void> {
    await tx.query('UPDATE outbox_events SET fan_out_after = $3 WHERE workspace_id = $1 AND id = $2', [
      workspaceId,
      id,
      afterWebhookId,
    ]);
  }

  /**
   * Counts a failed attempt to relay an event and delays the next one, initially by one second and at most by a minute.
   * At `maxFailures` the event is set aside and no longer relayed. Returns whether it was set aside.
   */
  async recordRelayFailure(workspaceId: string, id: string, maxFailures: number): Promise<boolean> {
    const [rows] = await this.dataSource.query<[{ isSetAside: boolean }[], number]>(
      `UPDATE outbox_events SET relay_failures = relay_failures + 1,
         relay_not_before = now() + least(60, power(2, relay_failures)) * interval '1 second',
         set_aside_at = CASE WHEN relay_failures + 1 >= $3 THEN now() END
       WHERE workspace_id = $1 AND id = $2 AND relayed_at IS NULL
       RETURNING set_aside_at IS NOT NULL AS "isSetAside"`,
      [workspaceId, id, maxFailures],
    );
    return rows[0]?.isSetAside ?? false;
  }

  /** Payloads of events by event id. Crosses workspaces. */
  async findPayloads(
    events: readonly EventReference[],
    tx: EntityManager,
  ): Promise<Map<string, EventPayload>> {
    if (events.length === 0) return new Map();
    const distinct = new Map(events.map((event) => [event.id, event]));
    const rows = await queryPrepared<EventPayload>(tx, FIND_PAYLOADS, [
      referenceRows([...distinct.values()]),
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Locks up to `limit` events that were relayed before a time, oldest first and starting after the event `after`.
   * Crosses workspaces.
   */
  lockRelayedBefore(
    before: Date,
    after: RelayedEvent | null,
    limit: number,
    tx: EntityManager,
  ): Promise<RelayedEvent[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", id, relayed_at::text AS "relayedAt" FROM outbox_events
       WHERE relayed_at < $1 AND ($2::timestamptz IS NULL OR (relayed_at, id) > ($2, $3::uuid))
       ORDER BY relayed_at, id LIMIT $4 FOR UPDATE SKIP LOCKED`,
      [before, after?.relayedAt ?? null, after?.id ?? null, limit],
    );
  }

  /** Like {@link lockRelayedBefore}, for one workspace. */
  lockRelayedOf(
    workspaceId: string,
    before: Date,
    after: TimePosition | null,
    limit: number,
    tx: EntityManager,
  ): Promise<RelayedEvent[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", id, relayed_at::text AS "relayedAt" FROM outbox_events
       WHERE workspace_id = $1 AND relayed_at < $2 AND ($3::timestamptz IS NULL OR (relayed_at, id) > ($3, $4::uuid))
       ORDER BY relayed_at, id LIMIT $5 FOR UPDATE SKIP LOCKED`,
      [workspaceId, before, after?.time ?? null, after?.id ?? null, limit],
    );
  }

  /**
   * Deletes events that were set aside before a time, with their deliveries; returns their number. Crosses workspaces.
   */
  async deleteSetAsideBefore(before: Date, limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM outbox_events WHERE (workspace_id, id) IN (
         SELECT workspace_id, id FROM outbox_events WHERE set_aside_at < $1
         ORDER BY set_aside_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )`,
      [before, limit],
    );
    return deleted;
  }

  /** Deletes events and, through the foreign key, their deliveries. Crosses workspaces. */
  async delete(events: readonly EventReference[], tx: EntityManager): Promise<void> {
    await tx.query(
      `DELETE FROM outbox_events USING json_to_recordset($1) AS given (workspace_id uuid, id uuid)
       WHERE outbox_events.workspace_id = given.workspace_id AND outbox_events.id = given.id`,
      [referenceRows(events)],
    );
  }
}

const referenceRows = (events: readonly EventReference[]): string =>
  JSON.stringify(events.map(({ workspaceId, id }) => ({ workspace_id: workspaceId, id })));

const FIND_PAYLOADS = {
  name: 'find_event_payloads',
  text: `
    SELECT events.id, type, created_at AS "createdAt", subject_kind AS "subjectKind", subject_id AS "subjectId",
      data::text AS data
    FROM json_to_recordset($1) AS given (workspace_id uuid, id uuid)
    JOIN outbox_events AS events ON events.workspace_id = given.workspace_id AND events.id = given.id`,
};
