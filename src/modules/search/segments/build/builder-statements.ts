import type { Sql } from '../../../../database/sql.js';
import type { SearchedTable } from '../../searched-table.js';
import type { Kind } from '../read/segment-statements.js';
import { rowColumns } from './segment-writer.js';

/** Maximum number of ids in one list of changes, as the triggers write them. */
export const IDS_PER_CHANGE = 10_000;

/**
 * Age after which changed rows are written into a segment however few they are, and segments with outdated rows are
 * rewritten.
 */
const STALE_AFTER = `interval '12 hours'`;

/** A workspace's table whose segments are due for an update. */
export interface DueTable {
  workspaceId: string;
  kind: Kind;
}

/** Tables of all workspaces that have at least `least` changed rows, stale changes or stale segments. */
export function selectDue(least: number): Sql {
  return {
    text: `SELECT workspace_id AS "workspaceId", kind FROM search_changes GROUP BY workspace_id, kind
      HAVING sum(row_count) >= $1 OR min(changed_at) < now() - ${STALE_AFTER}
      UNION
      SELECT workspace_id, kind FROM search_segments WHERE outdated_since < now() - ${STALE_AFTER}`,
    parameters: [least],
  };
}

/** One row with `isLocked`: whether this transaction got the lock for writing segments of a workspace's table. */
export function lockSegments(workspaceId: string, kind: Kind): Sql {
  return {
    text: `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isLocked"`,
    parameters: [`segments of ${kind} ${workspaceId}`],
  };
}

/** The oldest lists of changed rows, up to a total of `most` rows; each with `id` and `rowIds`. */
export function selectOldestChanges(workspaceId: string, kind: Kind, most: number): Sql {
  return {
    text: `SELECT id, row_ids AS "rowIds" FROM search_changes
      JOIN (
        SELECT id, sum(row_count) OVER (ORDER BY id) - row_count AS before
        FROM search_changes WHERE workspace_id = $1 AND kind = $2
      ) AS counted USING (id)
      WHERE workspace_id = $1 AND kind = $2 AND before < $3 ORDER BY id`,
    parameters: [workspaceId, kind, most],
  };
}

/** Deletes lists of changed rows. */
export function deleteChanges(workspaceId: string, kind: Kind, ids: readonly string[]): Sql {
  return {
    text: 'DELETE FROM search_changes WHERE workspace_id = $1 AND kind = $2 AND id = ANY ($3::bigint[])',
    parameters: [workspaceId, kind, ids],
  };
}

/** A row of {@link selectSegments}. */
export interface SegmentState {
  id: string;
  rows: number;
  outdated: number;
  /** Whether the segment is to be rewritten, because rows of it have been outdated for too long. */
  isStale: boolean;
}

/** Segments of a workspace's table. */
export function selectSegments(workspaceId: string, kind: Kind): Sql {
  return {
    text: `SELECT id, rows, outdated,
        coalesce(outdated_since < now() - ${STALE_AFTER}, false) AS "isStale"
      FROM search_segments WHERE workspace_id = $1 AND kind = $2 ORDER BY id`,
    parameters: [workspaceId, kind],
  };
}

/**
 * The data that a segment stores for the rows with these ids, in no particular order; each row is one list under `row`.
 */
export function selectSegmentRows(table: SearchedTable, workspaceId: string, ids: readonly string[]): Sql {
  return {
    text: `SELECT json_build_array(${rowColumns(table)}) AS row FROM ${table.name} WHERE workspace_id = $1 AND id = ANY ($2::${table.idType}[])`,
    parameters: [workspaceId, ids],
  };
}

/** Adds a segment without blocks; returns one row with its `id`. */
export function insertSegment(workspaceId: string, kind: Kind, rows: number): Sql {
  return {
    text: 'INSERT INTO search_segments (workspace_id, kind, rows) VALUES ($1, $2, $3) RETURNING id',
    parameters: [workspaceId, kind, rows],
  };
}

/** Adds blocks of a segment, numbered from `first`. */
export function insertBlocks(
  workspaceId: string,
  segmentId: string,
  first: number,
  blocks: readonly Buffer[],
): Sql {
  return {
    text: `INSERT INTO search_blocks (workspace_id, segment_id, number, data)
      SELECT $1, $2, $3 + place - 1, data FROM unnest($4::bytea[]) WITH ORDINALITY AS blocks (data, place)`,
    parameters: [workspaceId, segmentId, first, blocks],
  };
}

/** Sets which rows of a segment are outdated, and how many. */
export function setOutdatedRows(workspaceId: string, segmentId: string, outdated: number, rows: Buffer): Sql {
  return {
    text: `UPDATE search_segments SET outdated = $3, outdated_rows = $4, outdated_since = coalesce(outdated_since, now())
      WHERE workspace_id = $1 AND id = $2`,
    parameters: [workspaceId, segmentId, outdated, rows],
  };
}

/** Deletes segments and their blocks. */
export function deleteSegments(workspaceId: string, segmentIds: readonly string[]): Sql {
  return {
    text: 'DELETE FROM search_segments WHERE workspace_id = $1 AND id = ANY ($2::bigint[])',
    parameters: [workspaceId, segmentIds],
  };
}
