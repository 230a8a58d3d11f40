import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { groupBy } from '../../common/group-by.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { OutboxEvent } from '../events/outbox-event.entity.js';
import { MAX_HISTORY } from './delivery.entity.js';
import type { Destination, DueLane } from './destination.js';
import type { LaneRoom } from './lane-limits.js';
import { outcomeRows, type RecordedOutcome } from './recorded-outcome.js';

/** A delivery that this process may send until its lease ends. */
export interface ClaimedDelivery {
  destination: Destination;
  deliveryId: string;
  schedulePosition: number;
  event: Pick<OutboxEvent, 'id' | 'type' | 'createdAt'> & {
    /** JSON. */
    data: string;
  };
}

export interface LanesWanted {
  limit: number;
  /** Destinations to leave out. */
  except: readonly string[];
  /** Null: whatever their failures. */
  failuresBelow: number | null;
}

export interface LaneClaim {
  lane: DueLane;
  deliveries: ClaimedDelivery[];
  /** There was no room for more. */
  isCut: boolean;
}

export interface LaneTally {
  destination: Destination;
  anySuccess: boolean;
  /** Failures after the last success, or all of them. */
  failures: number;
  /** The soonest retry. */
  dueInMs: number | null;
}

/** Batches are small and known by their keys; a planner that has not seen the table grow yet would read all of it. */
const ROW_BY_ROW =
  'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off';

type ClaimedRow = Destination & {
  deliveryId: string;
  schedulePosition: number;
  eventId: string;
  eventType: OutboxEvent['type'];
  eventCreatedAt: Date;
  data: string;
};

/**
 * The sender's side of deliveries. Pollers read lanes, one row a destination, so that the backlog of one destination
 * never stands before another's deliveries. Lock order everywhere: deliveries, webhooks and alerts, lanes; a claim
 * takes lanes first but waits for nothing. Times are the database's. Crosses workspaces.
 */
@Injectable()
export class DeliveryClaimsRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * Leases due deliveries of due destinations, the longest due first. `roomFor` says how many of each are wanted.
   */
  claim(
    owner: string,
    leaseMs: number,
    lanesWanted: LanesWanted,
    roomFor: (lanes: DueLane[]) => LaneRoom[],
  ): Promise<LaneClaim[]> {
    return this.transactions.run(async (tx) => {
      // A lease that a crash of Postgres forgets costs a repeat at worst, so nobody waits for the disk.
      await tx.query(`SET LOCAL synchronous_commit = off; ${ROW_BY_ROW}`);
      const lanes = await tx.query<DueLane[]>(
        `SELECT workspace_id AS "workspaceId", destination_kind AS kind, destination_id AS id, failures
         FROM delivery_lanes WHERE due_at <= now() AND destination_id <> ALL ($2::uuid[])
           AND ($3::integer IS NULL OR failures < $3)
         ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
        [lanesWanted.limit, lanesWanted.except, lanesWanted.failuresBelow],
      );
      const rooms = roomFor(lanes).filter(({ room }) => room > 0);
      if (rooms.length === 0) return [];
      const rows = await this.lease(owner, leaseMs, rooms, tx);
      const byLane = groupBy(rows, (row) => row.id);
      return rooms.map(({ lane, room }) => {
        const deliveries = (byLane.get(lane.id) ?? []).map(toClaimed);
        return { lane, deliveries, isCut: deliveries.length === room };
      });
    });
  }

  /** A statement of its own: it must see what was committed until the lanes were locked. */
  private lease(
    owner: string,
    leaseMs: number,
    rooms: readonly LaneRoom[],
    tx: EntityManager,
  ): Promise<ClaimedRow[]> {
    return tx.query(
      `WITH lane AS MATERIALIZED (
         SELECT * FROM json_to_recordset($1) AS l (workspace_id uuid, kind text, id uuid, room integer, pause_ms integer)
       ), due AS MATERIALIZED (
         SELECT picked.* FROM lane CROSS JOIN LATERAL (
           SELECT workspace_id, id, destination_id FROM deliveries
           WHERE workspace_id = lane.workspace_id AND destination_kind = lane.kind AND destination_id = lane.id
             AND status = 'pending' AND next_attempt_at <= now() AND (leased_until IS NULL OR leased_until <= now())
           ORDER BY next_attempt_at LIMIT lane.room FOR UPDATE SKIP LOCKED
         ) AS picked
       ), claimed AS (
         UPDATE deliveries SET lease_owner = $2, leased_until = now() + $3 * interval '1 millisecond'
         FROM due WHERE deliveries.workspace_id = due.workspace_id AND deliveries.id = due.id
         RETURNING deliveries.*
       ), next AS (
         SELECT lane.*, least(
           (SELECT next_attempt_at FROM deliveries AS rest
             WHERE rest.workspace_id = lane.workspace_id AND rest.destination_kind = lane.kind
               AND rest.destination_id = lane.id AND rest.status = 'pending'
               AND (leased_until IS NULL OR leased_until <= now()) AND rest.id NOT IN (SELECT id FROM due)
             ORDER BY next_attempt_at LIMIT 1),
           (SELECT leased_until FROM deliveries AS held
             WHERE held.workspace_id = lane.workspace_id AND held.destination_kind = lane.kind
               AND held.destination_id = lane.id AND held.status = 'pending' AND leased_until > now()
             ORDER BY next_attempt_at LIMIT 1),
           (SELECT now() + $3 * interval '1 millisecond' FROM due WHERE due.destination_id = lane.id LIMIT 1)
         ) AS at FROM lane
       ), moved AS (
         UPDATE delivery_lanes AS lanes SET due_at = CASE WHEN next.at IS NOT NULL
           THEN greatest(next.at, now() + next.pause_ms * interval '1 millisecond') END
         FROM next WHERE lanes.workspace_id = next.workspace_id AND lanes.destination_kind = next.kind
           AND lanes.destination_id = next.id
       )
       SELECT claimed.workspace_id AS "workspaceId", claimed.destination_kind AS kind, claimed.destination_id AS id,
         claimed.id AS "deliveryId", claimed.schedule_position AS "schedulePosition",
         events.id AS "eventId", events.type AS "eventType", events.created_at AS "eventCreatedAt",
         events.data::text AS data
       FROM claimed JOIN outbox_events AS events
         ON events.workspace_id = claimed.workspace_id AND events.id = claimed.event_id`,
      [
        JSON.stringify(
          rooms.map(({ lane, room, pauseMs }) => ({
            workspace_id: lane.workspaceId,
            kind: lane.kind,
            id: lane.id,
            room,
            pause_ms: pauseMs,
          })),
        ),
        owner,
        leaseMs,
      ],
    );
  }

  /**
   * Writes outcomes, each with its attempt. A success counts whoever had the lease in the end; anything else only while
   * `owner` holds it, for another sender is at it then.
   */
  async record(owner: string, outcomes: readonly RecordedOutcome[], tx: EntityManager): Promise<void> {
    await tx.query(ROW_BY_ROW);
    await tx.query(
      `WITH outcome AS MATERIALIZED (
         -- Sorted as rows are locked. OFFSET keeps the planner from reading every pending delivery instead.
         SELECT * FROM json_to_recordset($2) AS o (workspace_id uuid, id uuid, status text, retry_in_ms bigint,
           succeeded boolean, response_code integer, duration_ms integer, error text, attempt jsonb)
       ), locked AS MATERIALIZED (
         SELECT outcome.* FROM outcome CROSS JOIN LATERAL (
           SELECT status, lease_owner FROM deliveries
           WHERE workspace_id = outcome.workspace_id AND id = outcome.id OFFSET 0 FOR UPDATE
         ) AS delivery
         WHERE delivery.status = 'pending' AND (delivery.lease_owner = $1 OR outcome.succeeded)
       )
       UPDATE deliveries SET status = outcome.status, lease_owner = NULL, leased_until = NULL,
         next_attempt_at = CASE WHEN outcome.status = 'pending'
           THEN now() + outcome.retry_in_ms * interval '1 millisecond' END,
         completed_at = CASE WHEN outcome.status <> 'pending' THEN now() END,
         attempts = attempts + (outcome.attempt IS NOT NULL)::int,
         schedule_position = schedule_position + (outcome.attempt IS NOT NULL)::int,
         history = CASE WHEN outcome.attempt IS NULL THEN history
           WHEN jsonb_array_length(history) < $3 THEN history || outcome.attempt
           ELSE (history - 0) || outcome.attempt END,
         response_code = outcome.response_code,
         duration_ms = outcome.duration_ms,
         error = outcome.error
       FROM locked AS outcome
       WHERE deliveries.workspace_id = outcome.workspace_id AND deliveries.id = outcome.id`,
      [owner, JSON.stringify(outcomeRows(outcomes)), MAX_HISTORY],
    );
  }

  /** Notes failures and retries on lanes, in the transaction of the outcomes. */
  async moveLanes(tallies: readonly LaneTally[], tx: EntityManager): Promise<void> {
    if (tallies.length === 0) return;
    await tx.query(
      `WITH tally AS MATERIALIZED (
         SELECT * FROM json_to_recordset($1) AS t (workspace_id uuid, kind text, id uuid,
           any_success boolean, failures integer, due_in_ms bigint)
       ), locked AS MATERIALIZED (
         SELECT workspace_id, destination_kind, destination_id FROM delivery_lanes
         WHERE (workspace_id, destination_kind, destination_id) IN (SELECT workspace_id, kind, id FROM tally)
         ORDER BY workspace_id, destination_kind, destination_id FOR UPDATE
       )
       UPDATE delivery_lanes AS lanes SET
         failures = CASE WHEN any_success THEN tally.failures ELSE lanes.failures + tally.failures END,
         due_at = least(lanes.due_at, now() + due_in_ms * interval '1 millisecond')
       FROM tally JOIN locked ON locked.workspace_id = tally.workspace_id
         AND locked.destination_kind = tally.kind AND locked.destination_id = tally.id
       WHERE lanes.workspace_id = tally.workspace_id AND lanes.destination_kind = tally.kind
         AND lanes.destination_id = tally.id`,
      [
        JSON.stringify(
          tallies.map(({ destination, anySuccess, failures, dueInMs }) => ({
            workspace_id: destination.workspaceId,
            kind: destination.kind,
            id: destination.id,
            any_success: anySuccess,
            failures,
            due_in_ms: dueInMs,
          })),
        ),
      ],
    );
  }

  /** Gives claimed deliveries back, due at once. */
  async release(owner: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.dataSource.query(
      `WITH given AS MATERIALIZED (
         SELECT * FROM json_to_recordset($2) AS g (workspace_id uuid, id uuid)
       ), released AS (
         UPDATE deliveries SET lease_owner = NULL, leased_until = NULL FROM given
         WHERE deliveries.workspace_id = given.workspace_id AND deliveries.id = given.id
           AND lease_owner = $1 AND status = 'pending'
         RETURNING deliveries.workspace_id, destination_kind, destination_id
       ), locked AS MATERIALIZED (
         SELECT workspace_id, destination_kind, destination_id FROM delivery_lanes
         WHERE (workspace_id, destination_kind, destination_id) IN (SELECT * FROM released)
         ORDER BY workspace_id, destination_kind, destination_id FOR UPDATE
       )
       UPDATE delivery_lanes AS lanes SET due_at = least(lanes.due_at, now()) FROM locked
       WHERE lanes.workspace_id = locked.workspace_id AND lanes.destination_kind = locked.destination_kind
         AND lanes.destination_id = locked.destination_id`,
      [
        owner,
        JSON.stringify(
          deliveries.map(({ destination, deliveryId }) => ({
            workspace_id: destination.workspaceId,
            id: deliveryId,
          })),
        ),
      ],
    );
  }
}

function toClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    destination: { workspaceId: row.workspaceId, kind: row.kind, id: row.id },
    deliveryId: row.deliveryId,
    schedulePosition: row.schedulePosition,
    event: { id: row.eventId, type: row.eventType, createdAt: row.eventCreatedAt, data: row.data },
  };
}
