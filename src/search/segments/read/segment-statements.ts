import { withDeltaSums } from '../../../database/count-deltas.js';
import { type Sql, SqlParameters } from '../../../database/sql.js';
import type { SearchFilter } from '../../search-request.js';
import type { SearchedTable } from '../../searched-table.js';
import { conditionOf } from '../../sql/conditions.js';
import type { PostgresExpressions } from './match.js';

/** A table whose rows are stored in segments. */
export type Kind = 'posts' | 'comments';

/** A segment as listed in `search_segments`: id, number of rows, number of outdated rows. */
export type SegmentEntry = [id: string, rows: number, outdated: number];

/** A row of {@link selectState}. */
export interface StateRow {
  segments: SegmentEntry[];
  /** The lists of changed rows, each with its ids unless they are known; null when there are too many. */
  changed: [id: string, rowIds: string[] | null][] | null;
  revision: string;
  /** Results of the computed expressions. */
  results: string[];
}

/** A row of {@link selectOutdatedRows}. */
export interface OutdatedRow {
  segmentId: string;
  number: number;
  data: Buffer;
}

/**
 * The state that a search needs before it reads segments. Omits the lists when they have more than `mostChanged` ids in
 * all, and the ids of `known` lists.
 */
export function selectState(
  table: Pick<SearchedTable, 'name' | 'deltas'>,
  workspaceId: string,
  mostChanged: number,
  known: Iterable<string>,
  { expressions, parameters }: PostgresExpressions,
): Sql {
  const workspace = parameters.add(workspaceId);
  const own = `workspace_id = ${workspace} AND kind = '${table.name}'`;
  return {
    text: `${withDeltaSums(table.deltas, workspace)}
      SELECT (SELECT revision FROM delta_sums) AS revision,
        (SELECT coalesce(json_agg(json_build_array(id::text, rows, outdated)), '[]') FROM search_segments WHERE ${own}) AS segments,
        CASE WHEN (SELECT coalesce(sum(row_count), 0) FROM search_changes WHERE ${own}) <= ${parameters.add(mostChanged)} THEN
          (SELECT coalesce(json_agg(json_build_array(
             id::text, CASE WHEN id = ANY (${parameters.add(`{${[...known].join()}}`)}::bigint[]) THEN NULL ELSE row_ids END)), '[]')
           FROM search_changes WHERE ${own}) END AS changed,
        to_json(ARRAY[${expressions.map((expression) => `(${expression})::text`).join(', ')}]::text[]) AS results`,
    parameters: parameters.values,
  };
}

/** A select list, or a function that returns one together with its joins. */
export type ChangedColumns = string | ((parameters: SqlParameters) => { columns: string; join: string });

/** The changed rows that match a filter. */
export function selectChangedRows(
  table: Pick<SearchedTable, 'name' | 'idType' | 'fields' | 'filters'>,
  workspaceId: string,
  select: ChangedColumns,
  filter: SearchFilter,
): Sql {
  const parameters = new SqlParameters();
  const workspace = parameters.add(workspaceId);
  const { columns, join } = typeof select === 'string' ? { columns: select, join: '' } : select(parameters);
  // OFFSET 0 forces Postgres to read the rows by their keys. From an array it reads those of neighbouring keys together,
  // which takes a third of the time of a join.
  return {
    text: `SELECT ${columns} FROM (
        SELECT * FROM ${table.name} WHERE workspace_id = ${workspace} AND id = ANY (ARRAY(
          SELECT unnest(row_ids)::${table.idType} FROM search_changes
          WHERE workspace_id = ${workspace} AND kind = '${table.name}'
        )) OFFSET 0
      ) AS changed ${join}
      WHERE ${conditionOf(table, workspaceId, filter, parameters)}`,
    parameters: parameters.values,
  };
}

/** Segment, number and data of blocks, in no particular order; for `readBinary`. */
export function selectBlocks(
  workspaceId: string,
  wanted: readonly { segmentId: string; number: number }[],
): Sql {
  const segmentIds = wanted.map(({ segmentId }) => segmentId).join();
  const numbers = wanted.map(({ number }) => number).join();
  return {
    text: `SELECT segment_id, number, data
      FROM unnest($2::uuid[], $3::int[]) AS wanted (segment_id, number)
      JOIN search_blocks USING (segment_id, number) WHERE workspace_id = $1`,
    parameters: [workspaceId, `{${segmentIds}}`, `{${numbers}}`],
  };
}

/** The bitmaps of outdated rows of segments. */
export function selectOutdatedRows(workspaceId: string, segmentIds: readonly string[]): Sql {
  return {
    text: `SELECT id AS "segmentId", outdated AS number, outdated_rows AS data
      FROM search_segments WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    parameters: [workspaceId, segmentIds],
  };
}

/** Maximum number of segments whose directories are read in advance. */
const MOST_DIRECTORIES = 1_000;

/** The newest segments of a workspace, each with `id` and `rows`. */
export const selectDirectories = (workspaceId: string): Sql => ({
  text: `SELECT id, rows FROM search_segments WHERE workspace_id = $1 ORDER BY id DESC LIMIT ${MOST_DIRECTORIES}`,
  parameters: [workspaceId],
});
