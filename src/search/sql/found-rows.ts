import { type Sql, SqlParameters } from '../../database/sql.js';
import type { PageRequest } from '../search-request.js';
import { sortRule } from '../searched-table.js';
import { highlightsIn } from './conditions.js';
import { byColumn } from './page-statements.js';

/** Rows that segments found, with the numbers by which a list is ordered. */
export interface FoundRows {
  ids: readonly string[];
  values: readonly number[];
}

/** The rows of a page with these ids in the given order, each with its sort value and highlights as in `selectPage`. */
export function selectById(
  { table, workspaceId, columns, filter, highlight }: PageRequest,
  rows: { ids: readonly string[]; sortValues: readonly string[] },
): Sql {
  const parameters = new SqlParameters();
  const highlights = highlight === true ? highlightsIn(table, filter) : [];
  const ids = `${parameters.add(rows.ids)}::${table.idType}[]`;
  const values = `${parameters.add(rows.sortValues)}::text[]`;
  return {
    text: `SELECT ${[columns, ...highlights].join(', ')}, sort_value AS "sortValue"
      FROM unnest(${ids}, ${values}) WITH ORDINALITY AS wanted (wanted_id, sort_value, place)
      ${joinWanted(table, parameters.add(workspaceId))} ORDER BY place`,
    parameters: parameters.values,
  };
}

/**
 * The page in the order of a column that begins after a position among rows found, as `selectPage` reads it but without
 * the count deltas. Which rows these are is decided before any of them is read. `from` is the number of the position's
 * value.
 */
export function selectFound(
  { table, workspaceId, columns, filter, order, after, limit, offset, highlight }: PageRequest,
  from: number | null,
  found: FoundRows,
): Sql {
  const parameters = new SqlParameters();
  const highlights = highlight === true ? highlightsIn(table, filter) : [];
  const sortValue = `${byColumn(sortRule(table, order.sort_by), table.idType).text()} AS "sortValue"`;
  const ids = `${parameters.add(found.ids)}::${table.idType}[]`;
  const values = `${parameters.add(`{${found.values.join()}}`)}::float8[]`;
  const direction = order.sort_order;
  let isAfter = 'true';
  if (after !== null) {
    const position = `(${parameters.add(from)}::float8, ${parameters.add(after.id)}::${table.idType})`;
    isAfter = `(sort_number, wanted_id) ${direction === 'asc' ? '>' : '<'} ${position}`;
  }
  const inOrder = `ORDER BY sort_number ${direction}, wanted_id ${direction}`;
  return {
    text: `SELECT ${[columns, ...highlights, sortValue].join(', ')}
      FROM (
        SELECT * FROM unnest(${ids}, ${values}) AS found (wanted_id, sort_number) WHERE ${isAfter}
        ${inOrder} LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(offset ?? 0)}
      ) AS wanted ${joinWanted(table, parameters.add(workspaceId))} ${inOrder}`,
    parameters: parameters.values,
  };
}

/** Joins the rows with the ids in `wanted_id`. */
const joinWanted = ({ name }: { name: string }, workspace: string): string =>
  `CROSS JOIN LATERAL (
        SELECT * FROM ${name} WHERE workspace_id = ${workspace} AND id = wanted_id OFFSET 0
      ) AS stored`;
