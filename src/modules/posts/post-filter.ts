import { type Sql, SqlParameters } from '../../database/sql.js';
import { selectList } from '../../database/entity-columns.js';
import { DELTA_SUM_COLUMNS, selectCount, withDeltaSums } from '../../database/count-deltas.js';
import type { SentimentLabel } from '../../enrichment/enrichment.js';
import type { PostType } from '../../platforms/platform.js';
import type { PostRecord } from './post.entity.js';

export const POST_SORTS = [
  'created_utc',
  'score',
  'num_comments',
  'upvote_ratio',
  'sentiment_score',
  'scraped_at',
  'relevance',
] as const;
export type PostSort = (typeof POST_SORTS)[number];

export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** What List Posts and Export Posts have in common. */
export interface PostFilter {
  q?: string;
  forum?: string;
  author?: string;
  min_score?: number;
  max_score?: number;
  post_type?: PostType;
  sentiment?: SentimentLabel;
}

export interface PostOrder {
  sort_by: PostSort;
  sort_order: SortOrder;
}

/** A place in an ordered list: just after the row that has this sort value and id. */
export interface PostPosition {
  /** As Postgres writes it, so that no digit of a time or a fraction is lost on the way. */
  value: string;
  id: string;
}

const SEARCH_QUERY = "websearch_to_tsquery('english', $PARAM)";

function conditions(workspaceId: string, filter: PostFilter, parameters: SqlParameters): string[] {
  const all = [`workspace_id = ${parameters.add(workspaceId)}`];
  if (filter.q !== undefined)
    all.push(`search @@ ${SEARCH_QUERY.replace('$PARAM', parameters.add(filter.q))}`);
  if (filter.forum !== undefined) all.push(`lower(forum) = lower(${parameters.add(filter.forum)})`);
  if (filter.author !== undefined) all.push(`lower(author) = lower(${parameters.add(filter.author)})`);
  if (filter.min_score !== undefined) all.push(`score >= ${parameters.add(filter.min_score)}`);
  if (filter.max_score !== undefined) all.push(`score <= ${parameters.add(filter.max_score)}`);
  if (filter.post_type !== undefined) all.push(`post_type = ${parameters.add(filter.post_type)}`);
  if (filter.sentiment !== undefined) all.push(`sentiment_label = ${parameters.add(filter.sentiment)}`);
  return all;
}

/** The sort value as SQL. Columns come from the closed list above, never from the caller's text. */
function sortExpression(sort: PostSort, filter: PostFilter, parameters: SqlParameters): string {
  if (sort !== 'relevance') return sort;
  // As float8 the rank survives the trip through a cursor unchanged.
  return `ts_rank(search, ${SEARCH_QUERY.replace('$PARAM', parameters.add(filter.q ?? ''))})::float8`;
}

const CAST: Record<PostSort, 'timestamptz' | 'integer' | 'float8'> = {
  created_utc: 'timestamptz',
  scraped_at: 'timestamptz',
  score: 'integer',
  num_comments: 'integer',
  upvote_ratio: 'float8',
  sentiment_score: 'float8',
  relevance: 'float8',
};

const INTEGER = /^-?\d{1,10}$/;
const FRACTION = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;
const TIME = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/;

/** Whether Postgres can have written the text as a value of this sort; anybody can make up a cursor. */
export function isSortValue(sort: PostSort, text: string): boolean {
  switch (CAST[sort]) {
    case 'timestamptz':
      return (
        TIME.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')))
      );
    case 'integer':
      return INTEGER.test(text) && Math.abs(Number(text)) <= 2_147_483_647;
    case 'float8':
      return FRACTION.test(text) && Number.isFinite(Number(text));
  }
}

/** Rows in order, after a position; each with its `sortValue`. Ties are broken by id in the same direction. */
export function selectPosts(
  workspaceId: string,
  properties: readonly (keyof PostRecord)[],
  filter: PostFilter,
  order: PostOrder,
  page: { after: PostPosition | null; limit: number },
): Sql {
  const parameters = new SqlParameters();
  return {
    text: select(workspaceId, selectList(properties), filter, order, page, parameters),
    parameters: parameters.values,
  };
}

/** A page as `selectPosts` reads it, each row with `revision` and `total` of the count deltas beside it. */
export function selectPostPage(
  workspaceId: string,
  properties: readonly (keyof PostRecord)[],
  filter: PostFilter,
  order: PostOrder,
  page: { after: PostPosition | null; limit: number },
): Sql {
  const parameters = new SqlParameters();
  const sums = deltaSums(workspaceId, filter, parameters);
  const columns = [selectList(properties), ...DELTA_SUM_COLUMNS].join(', ');
  return {
    text: `${sums} ${select(workspaceId, columns, filter, order, page, parameters)}`,
    parameters: parameters.values,
  };
}

/** How many posts match, and the revision that was counted. */
export function countPosts(workspaceId: string, filter: PostFilter): Sql {
  const parameters = new SqlParameters();
  const sums = deltaSums(workspaceId, filter, parameters);
  const where = isCountedByDeltas(filter) ? null : conditions(workspaceId, filter, parameters).join(' AND ');
  return { text: selectCount(sums, 'posts', where), parameters: parameters.values };
}

/** Whether the count deltas hold the total of a filter; they are kept by forum. */
export function isCountedByDeltas(filter: PostFilter): boolean {
  return Object.entries(filter).every(([name, value]) => name === 'forum' || value === undefined);
}

function deltaSums(workspaceId: string, filter: PostFilter, parameters: SqlParameters): string {
  const workspace = parameters.add(workspaceId);
  const ofForum =
    filter.forum === undefined ? undefined : `lower(forum) = lower(${parameters.add(filter.forum)})`;
  return withDeltaSums('post_count_deltas', workspace, ofForum);
}

function select(
  workspaceId: string,
  columns: string,
  filter: PostFilter,
  order: PostOrder,
  page: { after: PostPosition | null; limit: number },
  parameters: SqlParameters,
): string {
  const where = conditions(workspaceId, filter, parameters);
  const sortValue = sortExpression(order.sort_by, filter, parameters);
  if (page.after !== null) {
    const value = `${parameters.add(page.after.value)}::${CAST[order.sort_by]}`;
    where.push(
      `(${sortValue}, id) ${order.sort_order === 'asc' ? '>' : '<'} (${value}, ${parameters.add(page.after.id)})`,
    );
  }
  const direction = order.sort_order;
  return (
    `SELECT ${columns}, (${sortValue})::text AS "sortValue" FROM posts WHERE ${where.join(' AND ')} ` +
    `ORDER BY ${sortValue} ${direction}, id ${direction} LIMIT ${parameters.add(page.limit)}`
  );
}
