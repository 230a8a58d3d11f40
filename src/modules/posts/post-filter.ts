import type { SentimentLabel } from '../../enrichment/enrichment.js';
import type { PostType } from '../../platforms/platform.js';
import { LENGTH, LENGTH_COLUMN } from '../search/relevance/score-sql.js';
import { type ListOrder, microseconds, type SearchedTable } from '../search/searched-table.js';

/** Sort keys of posts. */
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

/** Filters that List Posts and Export Posts share; times are ISO 8601. */
export interface PostFilter {
  q?: string;
  forum?: string;
  author?: string;
  min_score?: number;
  max_score?: number;
  post_type?: PostType;
  sentiment?: SentimentLabel;
  created_after?: string;
  created_before?: string;
  flair?: string;
  is_nsfw?: boolean;
  has_media?: boolean;
  min_comments?: number;
  keyword?: string;
  /** Only these posts. */
  ids?: readonly string[];
}

/** Order of a list of posts. */
export type PostOrder = ListOrder<PostSort>;

/** How posts are filtered, sorted and searched. */
export const POST_SEARCH: SearchedTable<PostFilter, PostSort> = {
  name: 'posts',
  deltas: 'post_count_deltas',
  idType: 'text',
  conditions: {
    forum: (value) => `lower(forum) = lower(${value})`,
    author: (value) => `lower(author) = lower(${value})`,
    min_score: (value) => `score >= ${value}`,
    max_score: (value) => `score <= ${value}`,
    post_type: (value) => `post_type = ${value}`,
    sentiment: (value) => `sentiment_label = ${value}`,
    created_after: (value) => `created_utc >= ${value}`,
    created_before: (value) => `created_utc < ${value}`,
    flair: (value) => `lower(flair) = lower(${value})`,
    is_nsfw: (value) => `is_nsfw = ${value}`,
    has_media: (value) => `has_media = ${value}`,
    min_comments: (value) => `num_comments >= ${value}`,
    keyword: (value) => `keywords @> ARRAY[${value}]`,
    ids: (value) => `id = ANY(${value}::text[])`,
  },
  countedFields: ['forum'],
  indexedFields: ['forum', 'author', 'created_after', 'created_before', 'ids'],
  query: { author: 'author', forum: 'forum', flair: 'flair' },
  sorts: {
    created_utc: { type: 'timestamptz', expression: 'created_utc' },
    score: { type: 'integer', expression: 'score' },
    num_comments: { type: 'integer', expression: 'num_comments' },
    upvote_ratio: { type: 'float8', expression: 'upvote_ratio' },
    sentiment_score: { type: 'float8', expression: 'sentiment_score' },
    scraped_at: { type: 'timestamptz', expression: 'scraped_at' },
    relevance: { type: 'relevance', expression: null },
  },
  facets: {
    forum: { expression: 'forum', kind: 'name' },
    author: { expression: 'author', kind: 'name' },
    post_type: { expression: 'post_type', kind: 'exact' },
    sentiment: { expression: 'sentiment_label', kind: 'exact' },
    flair: { expression: 'flair', kind: 'name' },
    keyword: { expression: 'keywords', kind: 'list' },
  },
  texts: ['title', 'selftext'],
  segments: {
    columns: {
      created_utc: microseconds('created_utc'),
      score: 'score',
      num_comments: 'num_comments',
      sentiment_score: 'sentiment_score',
      [LENGTH_COLUMN]: LENGTH,
    },
    bounds: {
      min_score: { column: 'score', operator: '>=' },
      max_score: { column: 'score', operator: '<=' },
      min_comments: { column: 'num_comments', operator: '>=' },
      created_after: { column: 'created_utc', operator: '>=' },
      created_before: { column: 'created_utc', operator: '<' },
    },
    flags: ['is_nsfw', 'has_media'],
  },
};
