import { DELTA_SUM_COLUMNS, selectCount, withDeltaSums } from '../../database/count-deltas.js';
import { type Sql, SqlParameters } from '../../database/sql.js';
import { type Ranking, rankingText, scoreAt } from '../relevance/ranking.js';
import { scoreSql } from '../relevance/score-sql.js';
import type {
  ListPosition,
  PageRequest,
  Restriction,
  RowsRequest,
  SearchRequest,
} from '../search-request.js';
import { type SortRule, sortRule } from '../searched-table.js';
import { comparisonsOf, conditionOf, givenFilters, highlightsIn, isCountedByDeltas } from './conditions.js';

/** Added to a request: the statistics of scores besides the row; null unless the order is by relevance. */
interface Ranked {
  ranking: Ranking | null;
}

/** Added to a request: a condition besides the filter. */
interface Restricted {
  restriction?: Restriction;
}

/** The first rows in order. Ties are broken by id in the same direction. */
export function selectRows(request: RowsRequest & Ranked & Restricted): Sql {
  const parameters = new SqlParameters();
  const text = select({ ...request, after: null }, () => request.columns, parameters);
  return { text, parameters: parameters.values };
}

/** A page of rows, each with its `sortValue`, and the `revision` and `total` of the count deltas. */
export function selectPage(request: PageRequest & Ranked): Sql {
  const parameters = new SqlParameters();
  const sums = deltaSums(request, parameters);
  const highlights = request.highlight === true ? highlightsIn(request.table, request.filter) : [];
  const all = ({ text }: SortSql): string =>
    [request.columns, ...highlights, ...DELTA_SUM_COLUMNS, `${text()} AS "sortValue"`].join(', ');
  const rows = select(request, all, parameters);
  return { text: `${sums} ${rows}`, parameters: parameters.values };
}

/** How many rows match, and the revision at which they were counted. */
export function countRows(request: SearchRequest): Sql {
  const { table, workspaceId, filter } = request;
  const parameters = new SqlParameters();
  const sums = deltaSums(request, parameters);
  const where = isCountedByDeltas(table, filter) ? null : conditionOf(table, workspaceId, filter, parameters);
  return { text: selectCount(sums, table.name, where), parameters: parameters.values };
}

function deltaSums({ table, workspaceId, filter }: SearchRequest, parameters: SqlParameters): string {
  const workspace = parameters.add(workspaceId);
  const counted = givenFilters(filter).filter(([name]) => table.countedFilters.includes(name));
  const only = comparisonsOf(table, Object.fromEntries(counted), parameters);
  return withDeltaSums(table.deltas, workspace, only.length === 0 ? undefined : only.join(' AND '));
}

function select(
  {
    table,
    workspaceId,
    filter,
    order,
    after,
    limit,
    offset,
    ranking,
    restriction,
  }: PageRequest & Ranked & Restricted,
  columnsOf: (sort: SortSql) => string,
  parameters: SqlParameters,
): string {
  const rule = ranking === null ? sortRule(table, order.sort_by) : undefined;
  const direction = rule?.direction ?? order.sort_order;
  const source =
    rule?.source?.(workspaceId, filter, order.sort_order, after?.id ?? null, parameters) ?? table.name;
  const where = [conditionOf(table, workspaceId, filter, parameters)];
  const restricted = restriction?.((value) => parameters.add(value)) ?? null;
  if (restricted !== null) where.push(restricted);
  const sort = rule === undefined ? byScore(ranking!, parameters) : byColumn(rule, table.idType);
  if (after !== null && rule?.source === undefined) {
    const position = `(${parameters.add(sort.valueOf(after))}::${sort.type}, ${parameters.add(after.id)}::${sort.idType})`;
    where.push(`(${sort.expression}, ${sort.id}) ${direction === 'asc' ? '>' : '<'} ${position}`);
  }
  const skipped = offset === undefined ? '' : ` OFFSET ${parameters.add(offset)}`;
  return (
    `SELECT ${columnsOf(sort)} FROM ${source} ${sort.join} WHERE ${where.join(' AND ')} ` +
    `ORDER BY ${sort.expression} ${direction}, ${sort.id} ${direction} LIMIT ${parameters.add(limit)}${skipped}`
  );
}

/** How rows are ordered in SQL. */
interface SortSql {
  /** Joined to the rows. */
  join: string;
  expression: string;
  type: string;
  /** The sort value as a cursor carries it. Adds parameters, so it must be called only where its text is used. */
  text: () => string;
  valueOf: (position: ListPosition) => string | number;
  /** Tiebreaker among rows with the same sort value. */
  id: string;
  idType: string;
}

/** How a column of the table orders rows. */
export function byColumn({ expression, type }: SortRule, idType: string): SortSql {
  const text = (): string => (type === 'none' ? `''` : `(${expression})::text`);
  return { join: '', expression, type, text, valueOf: ({ value }) => value, id: 'id', idType };
}

/** Ids are compared bytewise as text, which is also their order in segments. */
function byScore(ranking: Ranking, parameters: SqlParameters): SortSql {
  const { join, expression } = scoreSql(ranking, parameters);
  return {
    join,
    expression,
    type: 'float8',
    text: () => `(${expression})::text || ${parameters.add(rankingText(ranking))}`,
    valueOf: ({ value }) => scoreAt(value),
    id: 'id::text COLLATE "C"',
    idType: 'text',
  };
}
