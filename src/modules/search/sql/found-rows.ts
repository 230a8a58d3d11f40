import { type Sql, SqlParameters } from '../../../database/sql.js';
import {
  byColumn,
  highlightsOf,
  type ListOrder,
  type PageRequest,
  type SearchedTable,
} from '../searched-table.js';

/** As {@link PageRequest}, with the position's value as segments store it. */
export interface FoundPageRequest extends Omit<PageRequest, 'after' | 'ranking'> {
  after: { number: number; id: string } | null;
  highlight?: boolean;
}

/** Rows that segments found, with the numbers by which a list is ordered. */
export interface FoundRows {
  ids: readonly string[];
  values: readonly number[];
}

/** The rows with these ids in the given order, each with its sort value and highlights as in {@link selectPage}. */
export function selectById<Filter extends { q?: string }, Sort extends string>(
  table: SearchedTable<Filter, Sort>,
  workspaceId: string,
  columns: string,
  filter: Filter,
  rows: { ids: readonly string[]; sortValues: readonly string[] },
  highlight: boolean,
): Sql {
  const parameters = new SqlParameters();
  const highlights = highlight ? highlightsOf(table, filter, parameters) : [];
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
 * The page in the order of a column that begins after a position among rows found, as {@link selectPage} reads it but
 * without the count deltas. Which rows these are is decided before any of them is read.
 */
export function selectFound<Filter extends { q?: string }, Sort extends string>(
  table: SearchedTable<Filter, Sort>,
  workspaceId: string,
  columns: string,
  filter: Filter,
  order: ListOrder<Sort>,
  { after, limit, offset, highlight }: FoundPageRequest,
  found: FoundRows,
): Sql {
  const parameters = new SqlParameters();
  const highlights = highlight === true ? highlightsOf(table, filter, parameters) : [];
  const sortValue = `${byColumn(table.sorts[order.sort_by], table.idType).text()} AS "sortValue"`;
  const ids = `${parameters.add(found.ids)}::${table.idType}[]`;
  const values = `${parameters.add(`{${found.values.join()}}`)}::float8[]`;
  const direction = order.sort_order;
  let isAfter = 'true';
  if (after !== null) {
    const position = `(${parameters.add(after.number)}::float8, ${parameters.add(after.id)}::${table.idType})`;
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
