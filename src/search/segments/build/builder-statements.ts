import type { Sql } from '../../../database/sql.js';
import { DELETED } from '../../../platforms/platform.js';
import type { SearchedTable } from '../../searched-table.js';
import type { Kind } from '../read/segment-statements.js';
import { rowColumns, type SegmentRow } from './segment-writer.js';

/** Maximum number of ids in one list of changes, as the triggers write them. */
export const IDS_PER_CHANGE = 10_000;

/**
 * Age after which changed rows are written into a segment however few they are, and segments with erased rows are
 * rewritten.
 */
const STALE_AFTER = `interval '12 hours'`;

/** A workspace's table. */
export interface IndexedTable {
  workspaceId: string;
  kind: Kind;
}

/** A workspace's table whose segments are due for an update. */
export interface DueTable extends IndexedTable {
  /** Whether changed rows are to be written into a segment. */
  hasChanges: boolean;
  /** Whether there are stale segments. */
  hasStale: boolean;
}

/** Tables of all workspaces that have at least `least` changed rows, stale changes or stale segments. */
export function selectDue(least: number): Sql {
  return {
    text: `SELECT workspace_id AS "workspaceId", kind, bool_or(has_changes) AS "hasChanges", bool_or(NOT has_changes) AS "hasStale"
      FROM (
        SELECT workspace_id, kind, true AS has_changes FROM search_changes GROUP BY workspace_id, kind
        HAVING sum(row_count) >= $1 OR min(changed_at) < now() - ${STALE_AFTER}
        UNION ALL
        SELECT workspace_id, kind, false FROM search_segments WHERE erased_since < now() - ${STALE_AFTER}
      ) AS due GROUP BY workspace_id, kind`,
    parameters: [least],
  };
}

/** Workspaces with rows of a table of which none is listed or in a segment, as after a restore. */
export function selectUnlisted({ name, deltas }: Pick<SearchedTable, 'name' | 'deltas'>): Sql {
  const missing = (table: string): string =>
    `NOT EXISTS (SELECT FROM ${table} WHERE workspace_id = counted.workspace_id AND kind = $1)`;
  return {
    text: `SELECT workspace_id AS "workspaceId", $1 AS kind FROM ${deltas} AS counted
      WHERE ${missing('search_segments')} AND ${missing('search_changes')}
      GROUP BY workspace_id HAVING sum(rows) > 0`,
    parameters: [name],
  };
}

/** Lists all rows of a workspace's table as changed. */
export function listRows({ name }: Pick<SearchedTable, 'name'>, workspaceId: string): Sql {
  return {
    text: `INSERT INTO search_changes (workspace_id, kind, row_ids, row_count)
      SELECT $1, $2, array_agg(id::text), count(*) FROM (
        SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${IDS_PER_CHANGE} AS part FROM ${name} WHERE workspace_id = $1
      ) AS numbered GROUP BY part ORDER BY part`,
    parameters: [workspaceId, name],
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
  /** Whether the segment is to be rewritten, because the text of a row must leave it. */
  isStale: boolean;
}

/** Segments of a workspace's table. */
export function selectSegments(workspaceId: string, kind: Kind): Sql {
  return {
    text: `SELECT id, rows, outdated,
        coalesce(erased_since < now() - ${STALE_AFTER}, false) AS "isStale"
      FROM search_segments WHERE workspace_id = $1 AND kind = $2`,
    parameters: [workspaceId, kind],
  };
}

/** A row of {@link selectSegmentRows}. */
export interface StoredRow {
  row: SegmentRow;
  /** Whether its platform or author has withdrawn its text. */
  isWithdrawn: boolean;
}

/** The data that a segment stores for the rows with these ids, in no particular order. */
export function selectSegmentRows(table: SearchedTable, workspaceId: string, ids: readonly string[]): Sql {
  const texts = ['author', ...table.texts].join(', ');
  return {
    text: `SELECT json_build_array(${rowColumns(table)}) AS row, $3 IN (${texts}) AS "isWithdrawn"
      FROM ${table.name} WHERE workspace_id = $1 AND id = ANY ($2::${table.idType}[])`,
    parameters: [workspaceId, ids, DELETED],
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

/** Which rows of a segment are outdated. */
export interface OutdatedRows {
  count: number;
  bitmap: Buffer;
  /** Whether one of them was deleted or its text withdrawn. */
  hasErased: boolean;
}

/** Sets which rows of a segment are outdated. */
export function setOutdatedRows(
  workspaceId: string,
  segmentId: string,
  { count, bitmap, hasErased }: OutdatedRows,
): Sql {
  // LEAST ignores null, and Citus does not allow now() in COALESCE or CASE.
  const erasedSince = hasErased ? ', erased_since = least(erased_since, now())' : '';
  return {
    text: `UPDATE search_segments SET outdated = $3, outdated_rows = $4${erasedSince}
      WHERE workspace_id = $1 AND id = $2`,
    parameters: [workspaceId, segmentId, count, bitmap],
  };
}

/** Deletes segments and their blocks. */
export function deleteSegments(workspaceId: string, segmentIds: readonly string[]): Sql {
  return {
    text: 'DELETE FROM search_segments WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    parameters: [workspaceId, segmentIds],
  };
}
