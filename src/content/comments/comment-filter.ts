import type { SqlParameters } from '../../database/sql.js';
import { caseSensitiveAuthors } from '../../platforms/author-case.js';
import type { ChoiceValue } from '../../search/choice.js';
import type { ListOrder, SearchedTableWith, SortOrder } from '../../search/searched-table.js';
import { sourceField } from '../../search/source-field.js';

/** Sort keys of comments; `thread` is the reading order of one post's comments. */
export const COMMENT_SORTS = ['created_utc', 'score', 'sentiment_score', 'relevance', 'thread'] as const;
export type CommentSort = (typeof COMMENT_SORTS)[number];

/** Filters of List Comments; times are ISO 8601. */
export interface CommentFilter {
  q?: string;
  post_id?: string;
  forum?: ChoiceValue;
  author?: ChoiceValue;
  min_score?: number;
  max_score?: number;
  sentiment?: ChoiceValue;
  language?: ChoiceValue;
  source?: ChoiceValue;
  created_after?: string;
  created_before?: string;
}

/** Order of a list of comments. */
export type CommentOrder = ListOrder<CommentSort>;

/** How comments are filtered, counted, sorted and stored in segments. */
export const COMMENT_SEARCH: SearchedTableWith<CommentFilter> = {
  name: 'comments',
  deltas: 'comment_count_deltas',
  idType: 'bigint',
  fields: {
    post_id: { sql: 'post_id', type: 'text', segment: false, facet: false, sort: false },
    forum: { sql: 'forum', type: 'name', segment: true, facet: true, sort: false },
    author: {
      sql: 'author',
      type: 'name',
      caseSensitiveRows: caseSensitiveAuthors('comment_id'),
      segment: true,
      facet: true,
      sort: false,
    },
    sentiment: { sql: 'sentiment_label', type: 'text', segment: true, facet: true, sort: false },
    is_promotion: { sql: 'is_promotion', type: 'boolean', segment: true, facet: false, sort: false },
    language: { sql: 'language', type: 'text', segment: true, facet: true, sort: false },
    source: sourceField('comment_id'),
    created_utc: { sql: 'created_utc', type: 'timestamptz', segment: true, facet: false, sort: true },
    score: { sql: 'score', type: 'integer', segment: true, facet: false, sort: true },
    sentiment_score: { sql: 'sentiment_score', type: 'float8', segment: true, facet: false, sort: true },
  },
  filters: {
    post_id: { field: 'post_id', operator: '=' },
    forum: { field: 'forum', operator: 'choice' },
    author: { field: 'author', operator: 'choice' },
    min_score: { field: 'score', operator: '>=' },
    max_score: { field: 'score', operator: '<=' },
    sentiment: { field: 'sentiment', operator: 'choice' },
    language: { field: 'language', operator: 'choice' },
    source: { field: 'source', operator: 'choice' },
    created_after: { field: 'created_utc', operator: '>=' },
    created_before: { field: 'created_utc', operator: '<' },
  },
  countedFilters: [],
  indexedFilters: ['post_id', 'forum', 'author', 'created_after', 'created_before'],
  orders: { thread: { type: 'none', expression: 'path', source: threadOf, direction: 'asc' } },
  texts: ['body'],
};

/**
 * The comments of one post, each with its `path`: the times and ids of the comments from the thread's root down to it.
 * Sorted by path, every comment follows its parent. Replies to one comment are sorted by time, in the requested
 * direction. Starts after the comment with the id `after`, or from the beginning if that comment has been deleted. The
 * cursor is this id, because a path has a time and an id per level and would be too long.
 */
function threadOf(
  workspaceId: string,
  filter: CommentFilter,
  order: SortOrder,
  after: string | null,
  parameters: SqlParameters,
): string {
  const sign = order === 'asc' ? '' : '-';
  const key = (row: string): string =>
    `ARRAY[${sign}(extract(epoch FROM ${row}.created_utc) * 1000000)::bigint, ${row}.id]`;
  const behind =
    after === null
      ? ''
      : `WHERE path > coalesce((SELECT path FROM thread WHERE id = ${parameters.add(after)}::bigint), '{}')`;
  return `(
    WITH RECURSIVE own AS MATERIALIZED (
      SELECT * FROM comments WHERE workspace_id = ${parameters.add(workspaceId)} AND post_id = ${parameters.add(filter.post_id)}
    ), thread AS (
      SELECT own.*, ${key('own')} AS path FROM own
      WHERE parent_id = comment_id OR NOT EXISTS (SELECT 1 FROM own AS parent WHERE parent.comment_id = own.parent_id)
      UNION ALL
      SELECT answer.*, thread.path || ${key('answer')} FROM own AS answer
      JOIN thread ON answer.parent_id = thread.comment_id AND answer.comment_id <> answer.parent_id
    )
    SELECT * FROM thread ${behind}
  ) AS thread`;
}
