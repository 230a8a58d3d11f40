import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Backlog, backlogColumns } from '../../database/backlog.js';
import type { Destination } from './destination.js';
import { CIRCUIT_OPEN_AFTER } from './send-limits.js';

/** A destination whose circuit is open. */
export interface OpenCircuit extends Destination {
  /** Failed attempts since the last success. */
  failures: number;
  /** When the next half-open probe is due; null while nothing is pending. */
  dueAt: Date | null;
}

/** Maximum number of pending deliveries that one retry of a destination makes due. */
const MAX_RETRIED = 10_000;

/** The backlog of deliveries and the open circuits of all workspaces, for operators. */
@Injectable()
export class DestinationQueuesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The backlog of pending deliveries, except those of `exceptWorkspaces`. Crosses workspaces. */
  async backlog(exceptWorkspaces: readonly string[]): Promise<Backlog> {
    const [row] = await this.dataSource.query<[Backlog]>(
      `SELECT ${backlogColumns('created_at')} FROM deliveries WHERE status = 'pending' AND workspace_id <> ALL ($1::uuid[])`,
      [exceptWorkspaces],
    );
    return row;
  }

  /** The number of destinations whose circuit is open. Crosses workspaces. */
  async countOpenCircuits(): Promise<number> {
    const [row] = await this.dataSource.query<[{ count: number }]>(
      'SELECT count(*)::integer AS count FROM destination_queues WHERE failures >= $1',
      [CIRCUIT_OPEN_AFTER],
    );
    return row.count;
  }

  /** Up to `limit` destinations whose circuit is open, most failures first. Crosses workspaces. */
  openCircuits(limit: number): Promise<OpenCircuit[]> {
    return this.dataSource.query(
      `SELECT workspace_id AS "workspaceId", destination_kind AS kind, destination_id AS id, failures, due_at AS "dueAt"
       FROM destination_queues WHERE failures >= $1
       ORDER BY failures DESC, destination_id LIMIT $2`,
      [CIRCUIT_OPEN_AFTER, limit],
    );
  }

  /** The destination with this id; null when it has no queue. Crosses workspaces. */
  async find(destinationId: string): Promise<Destination | null> {
    const [row] = await this.dataSource.query<Destination[]>(
      `SELECT workspace_id AS "workspaceId", destination_kind AS kind, destination_id AS id
       FROM destination_queues WHERE destination_id = $1`,
      [destinationId],
    );
    return row ?? null;
  }

  /**
   * Closes a destination's circuit and makes its pending deliveries due now, but at most the oldest {@link MAX_RETRIED}
   * and none that are being sent. Returns how many are due. Locks deliveries before the queue, as senders do.
   */
  async retry({ workspaceId, kind, id }: Destination, tx: EntityManager): Promise<number> {
    const [, due] = await tx.query<[unknown[], number]>(
      `UPDATE deliveries SET next_attempt_at = now() WHERE workspace_id = $1 AND id IN (
         SELECT id FROM deliveries
         WHERE workspace_id = $1 AND destination_kind = $2 AND destination_id = $3 AND status = 'pending'
           AND (leased_until IS NULL OR leased_until <= now())
         ORDER BY next_attempt_at LIMIT $4 FOR UPDATE SKIP LOCKED
       )`,
      [workspaceId, kind, id, MAX_RETRIED],
    );
    await tx.query(
      `UPDATE destination_queues SET failures = 0, due_at = CASE WHEN $4 THEN now() ELSE due_at END
       WHERE workspace_id = $1 AND destination_kind = $2 AND destination_id = $3`,
      [workspaceId, kind, id, due > 0],
    );
    return due;
  }
}
