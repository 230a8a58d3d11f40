import type { Sql } from '../../database/sql.js';
import { hasName, type SearchedTable } from '../../search/searched-table.js';
import { COMMENT_SEARCH } from '../comments/comment-filter.js';
import { POST_SEARCH } from '../posts/post-filter.js';

/** An account of a source. */
export interface Account {
  source: string;
  author: string;
}

/** What a workspace has of an account with posts or comments. */
export interface Speaker extends Account {
  /** Number of posts, and of comments, at most {@link MOST_COUNTED}. */
  posts: number;
  comments: number;
  /** When the oldest of all was written. */
  firstSeenAt: Date;
  /** Number of different days (UTC) on which those counted were written. */
  activeDays: number;
  /** The share of promotion among those counted. */
  promotionalShare: number;
}

/** Number of newest posts, and of newest comments, of an account that are counted. */
export const MOST_COUNTED = 200;

/** What a workspace has of accounts, a row for each that has posts or comments. Names follow the case rule of their source. */
export const selectSpeakers = (workspaceId: string, accounts: readonly Account[]): Sql => ({
  text: `SELECT source, name AS author,
      count(*) FILTER (WHERE kind = 'posts')::int AS posts,
      count(*) FILTER (WHERE kind = 'comments')::int AS comments,
      least(${TABLES.map(oldestOf).join(', ')}) AS "firstSeenAt",
      count(DISTINCT (created_utc AT TIME ZONE 'UTC')::date)::int AS "activeDays",
      avg(is_promotion::int)::float8 AS "promotionalShare"
    FROM unnest($2::text[], $3::text[]) AS given (source, name)
    CROSS JOIN LATERAL (${TABLES.map(newestOf).join(' UNION ALL ')}) AS counted
    GROUP BY source, name`,
  parameters: [workspaceId, accounts.map(({ source }) => source), accounts.map(({ author }) => author)],
});

const TABLES = [POST_SEARCH, COMMENT_SEARCH];

const oldestOf = (table: SearchedTable): string =>
  `(SELECT created_utc FROM ${table.name} WHERE ${isOfGiven(table)} ORDER BY created_utc LIMIT 1)`;

const newestOf = (table: SearchedTable): string =>
  `(SELECT '${table.name}' AS kind, created_utc, is_promotion FROM ${table.name}
    WHERE ${isOfGiven(table)} ORDER BY created_utc DESC LIMIT ${MOST_COUNTED})`;

const isOfGiven = ({ fields }: SearchedTable): string =>
  `workspace_id = $1 AND ${hasName(fields.author!, 'given.name')} AND ${fields.source!.sql} = given.source`;
