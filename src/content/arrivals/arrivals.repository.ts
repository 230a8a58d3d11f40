import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Arrival } from './arrival.entity.js';
import type { ArrivalPosition } from './arrival-position.js';

/** How long arrivals are kept, and with them the positions from which streams can be resumed. */
const KEPT = `interval '1 day'`;
/** The oldest transaction that may still commit: rows of older ones are visible, and none is added before it. */
const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** Posts and comments that a workspace stored for the first time, in an order that no later commit changes. */
@Injectable()
export class ArrivalsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The transaction before which nothing arrives any more. */
  async horizon(): Promise<string> {
    const [row] = await this.dataSource.query<[{ horizon: string }]>(`SELECT ${HORIZON} AS horizon`);
    return row.horizon;
  }

  /** The horizon, and whether something arrived in transactions from `xid` on that are before it. */
  async look(workspaceId: string, xid: string): Promise<{ horizon: string; hasAny: boolean }> {
    const [row] = await this.dataSource.query<[{ horizon: string; hasAny: boolean }]>(
      `WITH present AS (SELECT ${HORIZON} AS horizon)
       SELECT horizon, (
         EXISTS (SELECT FROM arrivals WHERE workspace_id = $1 AND kind = 'posts' AND xid >= $2 AND xid < horizon) OR
         EXISTS (SELECT FROM arrivals WHERE workspace_id = $1 AND kind = 'comments' AND xid >= $2 AND xid < horizon)
       ) AS "hasAny" FROM present`,
      [workspaceId, xid],
    );
    return row;
  }

  /** At most `limit` arrivals from the statement of a position on, of transactions before the horizon, in their order. */
  from(
    workspaceId: string,
    kind: Arrival['kind'],
    { xid, seq }: ArrivalPosition,
    { horizon, limit }: { horizon: string; limit: number },
  ): Promise<Pick<Arrival, 'xid' | 'seq' | 'rowIds'>[]> {
    return this.dataSource.query(
      `SELECT xid, seq, row_ids AS "rowIds" FROM arrivals
       WHERE workspace_id = $1 AND kind = $2 AND (xid, seq) >= ($3::bigint, $4::bigint) AND xid < $5
       ORDER BY xid, seq LIMIT $6`,
      [workspaceId, kind, xid, seq, horizon, limit],
    );
  }

  /** Replaces the ids of erased posts by empty ones, so that positions among the rows of a statement stay right. */
  async forgetPosts(workspaceId: string, postIds: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query(
      `UPDATE arrivals
       SET row_ids = ARRAY(SELECT CASE WHEN id = ANY ($2) THEN '' ELSE id END
         FROM unnest(row_ids) WITH ORDINALITY AS arrived (id, place) ORDER BY place)
       WHERE workspace_id = $1 AND kind = 'posts' AND row_ids && $2::text[]`,
      [workspaceId, postIds],
    );
  }

  /** Deletes up to `limit` arrivals that are no longer kept; returns how many. Crosses workspaces. */
  async deleteExpired(limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM arrivals WHERE (workspace_id, kind, xid, seq) IN (
         SELECT workspace_id, kind, xid, seq FROM arrivals
         WHERE arrived_at < now() - ${KEPT} ORDER BY arrived_at LIMIT $1)`,
      [limit],
    );
    return deleted;
  }
}
