import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { groupBy } from '../../common/collections.js';
import { queryPrepared } from '../../database/prepared-query.js';
import { MAX_HISTORY } from './delivery.entity.js';
import type { Destination } from './destination.js';
import type { DestinationSummary } from './attempt-summary.js';
import type { DeliveryDecision } from './delivery-decision.js';
import { decisionRow } from './decision-row.js';
import { type Allotment, CIRCUIT_OPEN_AFTER, type DueQueue } from './send-limits.js';

/** A delivery that only this process may send until its lease expires. */
export interface LeasedDelivery {
  destination: Destination;
  deliveryId: string;
  eventId: string;
  /** Number of recorded attempts, over all rounds of the retry schedule. */
  attempts: number;
  /** Number of recorded attempts in the current round. */
  schedulePosition: number;
  /** Of several recipients, those that no attempt has reached. Default: all. */
  remaining?: string[] | null;
}

/** Which due destination queues a claim considers. */
export interface QueueFilter {
  limit: number;
  /** Ids of destinations to leave out. */
  exceptDestinations: readonly string[];
  /** Ids of workspaces to leave out. */
  exceptWorkspaces: readonly string[];
  /** Ids of workspaces whose open circuits are left out, so that they get no probes. */
  exceptProbesOf: readonly string[];
}

/** The deliveries leased for one destination. */
export interface QueueClaim {
  queue: DueQueue;
  deliveries: LeasedDelivery[];
  /** The claim reached its limit, so more deliveries may be due. */
  isTruncated: boolean;
}

/** Batches are small and addressed by key. With outdated statistics the planner would otherwise scan whole tables. */
const NESTED_LOOPS_ONLY =
  'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL enable_seqscan = off';

/** Number of due queues among which a claim alternates between workspaces. */
const MAX_CANDIDATES = 5_000;

type LeasedRow = Destination & Omit<LeasedDelivery, 'destination'>;

/**
 * The sender's access to deliveries. Claims read destination queues, one row per destination, so that the backlog of
 * one destination never delays another's deliveries. Lock order in every transaction: deliveries, then webhooks and
 * alerts, then destination queues. A claim locks queues first, but skips locked rows and so never waits. Times are the
 * database's. Crosses workspaces.
 */
@Injectable()
export class DeliveryClaimsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * First step of a claim: locks due destination queues that no other process has locked. Workspaces take turns: first
   * the longest due queue of each, then the second of each, and so on. Closed and open circuits are counted separately.
   */
  async lockDueQueues(filter: QueueFilter, tx: EntityManager): Promise<DueQueue[]> {
    // If Postgres crashes, a lease may be lost, which at worst repeats a delivery. Waiting for the disk at each claim
    // costs more.
    await tx.query(`SET LOCAL synchronous_commit = off; ${NESTED_LOOPS_ONLY}`);
    return queryPrepared<DueQueue>(tx, DUE_QUEUES, [
      filter.limit,
      filter.exceptDestinations,
      filter.exceptWorkspaces,
      filter.exceptProbesOf,
      CIRCUIT_OPEN_AFTER,
      MAX_CANDIDATES,
    ]);
  }

  /**
   * Second step of a claim: leases due deliveries of locked queues to `owner` for `leaseMs`, longest due first, and
   * sets when each queue is due next. It is a separate statement because it must see what was committed before the
   * locks.
   */
  async lease(
    owner: string,
    leaseMs: number,
    allotments: readonly Allotment[],
    tx: EntityManager,
  ): Promise<QueueClaim[]> {
    if (allotments.length === 0) return [];
    const rows = await queryPrepared<LeasedRow>(tx, LEASE, [
      JSON.stringify(
        allotments.map(({ queue, count, pauseMs }) => ({
          workspace_id: queue.workspaceId,
          kind: queue.kind,
          id: queue.id,
          max: count,
          pause_ms: pauseMs,
        })),
      ),
      owner,
      leaseMs,
    ]);
    const byDestination = groupBy(rows, (row) => row.id);
    return allotments.map(({ queue, count }) => {
      const deliveries = (byDestination.get(queue.id) ?? []).map(toLeased);
      return { queue, deliveries, isTruncated: deliveries.length === count };
    });
  }

  /**
   * Records decisions. A success is recorded even if the lease was lost; other decisions only while `owner` holds the
   * lease.
   */
  async record(owner: string, decisions: readonly DeliveryDecision[], tx: EntityManager): Promise<void> {
    await tx.query(NESTED_LOOPS_ONLY);
    await queryPrepared(tx, RECORD, [owner, JSON.stringify(decisions.map(decisionRow)), MAX_HISTORY]);
  }

  /** Adds failures and retries to destination queues, in the transaction that records the decisions. */
  async updateQueues(summaries: readonly DestinationSummary[], tx: EntityManager): Promise<void> {
    if (summaries.length === 0) return;
    await tx.query(
      `WITH summary AS MATERIALIZED (
         SELECT * FROM json_to_recordset($1) AS s (workspace_id uuid, kind text, id uuid,
           any_success boolean, failures integer, retry_in_ms bigint)
       ), locked AS MATERIALIZED (
         SELECT workspace_id, destination_kind, destination_id FROM destination_queues
         WHERE (workspace_id, destination_kind, destination_id) IN (SELECT workspace_id, kind, id FROM summary)
         ORDER BY workspace_id, destination_kind, destination_id FOR UPDATE
       )
       UPDATE destination_queues AS queues SET
         failures = CASE WHEN any_success THEN summary.failures ELSE queues.failures + summary.failures END,
         due_at = least(queues.due_at, now() + retry_in_ms * interval '1 millisecond')
       FROM summary JOIN locked ON locked.workspace_id = summary.workspace_id
         AND locked.destination_kind = summary.kind AND locked.destination_id = summary.id
       WHERE queues.workspace_id = summary.workspace_id AND queues.destination_kind = summary.kind
         AND queues.destination_id = summary.id`,
      [
        JSON.stringify(
          summaries.map(({ destination, anySuccess, failures, retryInMs }) => ({
            workspace_id: destination.workspaceId,
            kind: destination.kind,
            id: destination.id,
            any_success: anySuccess,
            failures,
            retry_in_ms: retryInMs,
          })),
        ),
      ],
    );
  }

  /** Releases leases of `owner` without an attempt; the deliveries are due immediately. */
  async release(
    owner: string,
    deliveries: readonly Pick<LeasedDelivery, 'destination' | 'deliveryId'>[],
  ): Promise<void> {
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
         SELECT workspace_id, destination_kind, destination_id FROM destination_queues
         WHERE (workspace_id, destination_kind, destination_id) IN (SELECT * FROM released)
         ORDER BY workspace_id, destination_kind, destination_id FOR UPDATE
       )
       UPDATE destination_queues AS queues SET due_at = least(queues.due_at, now()) FROM locked
       WHERE queues.workspace_id = locked.workspace_id AND queues.destination_kind = locked.destination_kind
         AND queues.destination_id = locked.destination_id`,
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

const DUE_QUEUES = {
  name: 'lock_due_queues',
  text: `
    WITH due AS (
      SELECT workspace_id, destination_kind, destination_id, due_at, failures FROM destination_queues
      WHERE due_at <= now() AND destination_id <> ALL ($2::uuid[]) AND workspace_id <> ALL ($3::uuid[])
        AND (failures < $5 OR workspace_id <> ALL ($4::uuid[]))
      ORDER BY due_at LIMIT $6
    ), turns AS MATERIALIZED (
      SELECT workspace_id, destination_kind, destination_id, due_at,
        row_number() OVER (PARTITION BY workspace_id, failures >= $5 ORDER BY due_at) AS turn
      FROM due ORDER BY turn, due_at LIMIT $1 * 4
    )
    SELECT workspace_id AS "workspaceId", destination_kind AS kind, destination_id AS id, queues.failures
    FROM turns JOIN destination_queues AS queues USING (workspace_id, destination_kind, destination_id)
    WHERE queues.due_at <= now()
    ORDER BY turns.turn, turns.due_at LIMIT $1 FOR UPDATE OF queues SKIP LOCKED`,
};

const LEASE = {
  name: 'lease_deliveries',
  text: `
    WITH queue AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS q (workspace_id uuid, kind text, id uuid, max integer, pause_ms integer)
    ), due AS MATERIALIZED (
      SELECT picked.* FROM queue CROSS JOIN LATERAL (
        SELECT workspace_id, id, destination_id FROM deliveries
        WHERE workspace_id = queue.workspace_id AND destination_kind = queue.kind AND destination_id = queue.id
          AND status = 'pending' AND next_attempt_at <= now() AND (leased_until IS NULL OR leased_until <= now())
        ORDER BY next_attempt_at LIMIT queue.max FOR UPDATE SKIP LOCKED
      ) AS picked
    ), leased AS (
      UPDATE deliveries SET lease_owner = $2, leased_until = now() + $3 * interval '1 millisecond'
      FROM due WHERE deliveries.workspace_id = due.workspace_id AND deliveries.id = due.id
      RETURNING deliveries.*
    ), next AS (
      SELECT queue.*, least(
        (SELECT next_attempt_at FROM deliveries AS rest
          WHERE rest.workspace_id = queue.workspace_id AND rest.destination_kind = queue.kind
            AND rest.destination_id = queue.id AND rest.status = 'pending'
            AND (leased_until IS NULL OR leased_until <= now()) AND rest.id NOT IN (SELECT id FROM due)
          ORDER BY next_attempt_at LIMIT 1),
        (SELECT leased_until FROM deliveries AS held
          WHERE held.workspace_id = queue.workspace_id AND held.destination_kind = queue.kind
            AND held.destination_id = queue.id AND held.status = 'pending' AND leased_until > now()
          ORDER BY next_attempt_at LIMIT 1),
        (SELECT now() + $3 * interval '1 millisecond' FROM due WHERE due.destination_id = queue.id LIMIT 1)
      ) AS at FROM queue
    ), moved AS (
      UPDATE destination_queues AS queues SET
        due_at = CASE WHEN next.at IS NOT NULL
          THEN greatest(next.at, now() + next.pause_ms * interval '1 millisecond') END,
        idle_since = CASE WHEN next.at IS NULL THEN now() END
      FROM next WHERE queues.workspace_id = next.workspace_id AND queues.destination_kind = next.kind
        AND queues.destination_id = next.id
    )
    SELECT workspace_id AS "workspaceId", destination_kind AS kind, destination_id AS id, leased.id AS "deliveryId",
      event_id AS "eventId", attempts, schedule_position AS "schedulePosition", remaining
    FROM leased`,
};

const RECORD = {
  name: 'record_deliveries',
  text: `
    WITH decision AS MATERIALIZED (
      SELECT * FROM json_to_recordset($2) AS d (workspace_id uuid, id uuid, status text, retry_in_ms bigint,
        succeeded boolean, response_code integer, duration_ms integer, error text, attempt jsonb, remaining text[])
      ORDER BY workspace_id, id -- In lock order. OFFSET 0 keeps the planner from reading every pending delivery.
    ), locked AS MATERIALIZED (
      SELECT decision.* FROM decision CROSS JOIN LATERAL (
        SELECT status, lease_owner FROM deliveries
        WHERE workspace_id = decision.workspace_id AND id = decision.id OFFSET 0 FOR UPDATE
      ) AS delivery
      WHERE delivery.status = 'pending' AND (delivery.lease_owner = $1 OR decision.succeeded)
    )
    UPDATE deliveries SET status = decision.status, lease_owner = NULL, leased_until = NULL,
      next_attempt_at = CASE WHEN decision.status = 'pending'
        THEN now() + decision.retry_in_ms * interval '1 millisecond' END,
      completed_at = CASE WHEN decision.status <> 'pending' THEN now() END,
      attempts = attempts + (decision.attempt IS NOT NULL)::int,
      schedule_position = schedule_position + (decision.attempt IS NOT NULL)::int,
      history = CASE WHEN decision.attempt IS NULL THEN history
        WHEN jsonb_array_length(history) < $3 THEN history || decision.attempt
        ELSE (history - 0) || decision.attempt END,
      response_code = decision.response_code,
      duration_ms = decision.duration_ms,
      error = decision.error,
      remaining = CASE WHEN decision.status <> 'delivered' THEN coalesce(decision.remaining, deliveries.remaining) END
    FROM locked AS decision
    WHERE deliveries.workspace_id = decision.workspace_id AND deliveries.id = decision.id`,
};

const toLeased = ({ workspaceId, kind, id, ...delivery }: LeasedRow): LeasedDelivery => ({
  destination: { workspaceId, kind, id },
  ...delivery,
});
