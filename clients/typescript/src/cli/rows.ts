import {
  type Comment,
  type CommentQuery,
  dataOf,
  type PostListItem,
  type PostQuery,
  type ScrapingClient,
} from '../client.js';
import type { Filters, Kind } from './filters.js';
import { minuteOf } from './output.js';

/** A post or comment of a list. */
export type Row = PostListItem | Comment;

/** A page of a list. */
export interface Page {
  rows: Row[];
  /** Number of all matching rows. */
  total: number;
}

/** Largest page of the service. */
const PAGE = 200;

/** Pages of at most `limit` matching rows in all. */
export async function* pagesOf(
  client: ScrapingClient,
  of: Kind,
  filters: Filters,
  limit: number,
): AsyncGenerator<Page, void, undefined> {
  let left = limit;
  for (let cursor = ''; left > 0;) {
    const query = { ...filters, limit: Math.min(PAGE, left) };
    const page = await (of === 'posts'
      ? postPage(client, query, cursor)
      : commentPage(client, query, cursor));
    yield { rows: page.rows, total: page.total };
    left -= page.rows.length;
    if (!page.has_more) return;
    cursor = page.cursor;
  }
}

async function postPage(client: ScrapingClient, query: PostQuery, cursor: string) {
  const { posts: rows, ...page } = await dataOf(
    client.api.GET('/api/v1/workspaces/{workspace_id}/posts', {
      params: { path: client.path, query: { ...query, ...(cursor && { cursor }) } },
    }),
  );
  return { rows, ...page };
}

async function commentPage(client: ScrapingClient, query: CommentQuery, cursor: string) {
  const { comments: rows, ...page } = await dataOf(
    client.api.GET('/api/v1/workspaces/{workspace_id}/comments', {
      params: { path: client.path, query: { ...query, cursor } },
    }),
  );
  return { rows, ...page, cursor: page.cursor ?? '' };
}

/** The id of a row on its platform. */
export const idOf = (row: Row): string => ('comment_id' in row ? row.comment_id : row.id);

/** Columns of a table of rows. */
export const ROW_COLUMNS: Record<string, (row: Row) => string | number | null> = {
  TIME: (row) => minuteOf(row.created_utc),
  SCORE: (row) => row.score,
  SENTIMENT: (row) => row.sentiment_label,
  WHERE: (row) => ('comment_id' in row ? row.post_id : row.forum),
  TEXT: (row) => ('comment_id' in row ? row.body : row.title),
  ID: idOf,
};
