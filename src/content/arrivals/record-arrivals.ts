import type { EntityManager } from 'typeorm';
import { queryPrepared } from '../../database/prepared-query.js';
import type { Arrival } from './arrival.entity.js';

/** Notes, in the transaction that stores rows, those that were not stored before. */
export async function recordArrivals(
  workspaceId: string,
  kind: Arrival['kind'],
  rowIds: readonly string[],
  tx: EntityManager,
): Promise<void> {
  if (rowIds.length > 0) await queryPrepared(tx, RECORD, [workspaceId, kind, rowIds]);
}

const RECORD = {
  name: 'record_arrivals',
  text: `INSERT INTO arrivals (workspace_id, kind, xid, row_ids)
    VALUES ($1, $2, pg_current_xact_id()::text::bigint, $3)`,
};
