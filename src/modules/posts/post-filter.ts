import type { SentimentLabel } from '../../enrichment/enrichment.js';
import { caseSensitiveAuthors } from '../../platforms/author-case.js';
import type { PostType } from '../../platforms/platform.js';
import type { ListOrder, SearchedTableWith } from '../search/searched-table.js';

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
  language?: string;
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

/** How posts are filtered, counted, sorted and stored in segments. */
export const POST_SEARCH: SearchedTableWith<PostFilter> = {
  name: 'posts',
  deltas: 'post_count_deltas',
  idType: 'text',
  fields: {
    id: { sql: 'id', type: 'text', segment: false, facet: false, sort: false },
    forum: { sql: 'forum', type: 'name', segment: true, facet: true, sort: false },
    author: {
      sql: 'author',
      type: 'name',
      caseSensitiveRows: caseSensitiveAuthors('id'),
      segment: true,
      facet: true,
      sort: false,
    },
    post_type: { sql: 'post_type', type: 'text', segment: true, facet: true, sort: false },
    sentiment: { sql: 'sentiment_label', type: 'text', segment: true, facet: true, sort: false },
    flair: { sql: 'flair', type: 'name', segment: true, facet: true, sort: false },
    keyword: { sql: 'keywords', type: 'list', segment: true, facet: true, sort: false },
    is_nsfw: { sql: 'is_nsfw', type: 'boolean', segment: true, facet: false, sort: false },
    is_spoiler: { sql: 'is_spoiler', type: 'boolean', segment: false, facet: false, sort: false },
    has_media: { sql: 'has_media', type: 'boolean', segment: true, facet: false, sort: false },
    language: { sql: 'language', type: 'text', segment: true, facet: true, sort: false },
    created_utc: { sql: 'created_utc', type: 'timestamptz', segment: true, facet: false, sort: true },
    score: { sql: 'score', type: 'integer', segment: true, facet: false, sort: true },
    num_comments: { sql: 'num_comments', type: 'integer', segment: true, facet: false, sort: true },
    upvote_ratio: { sql: 'upvote_ratio', type: 'float8', segment: false, facet: false, sort: true },
    sentiment_score: { sql: 'sentiment_score', type: 'float8', segment: true, facet: false, sort: true },
    scraped_at: { sql: 'scraped_at', type: 'timestamptz', segment: false, facet: false, sort: true },
  },
  filters: {
    forum: { field: 'forum', operator: '=' },
    author: { field: 'author', operator: '=' },
    min_score: { field: 'score', operator: '>=' },
    max_score: { field: 'score', operator: '<=' },
    post_type: { field: 'post_type', operator: '=' },
    sentiment: { field: 'sentiment', operator: '=' },
    language: { field: 'language', operator: '=' },
    created_after: { field: 'created_utc', operator: '>=' },
    created_before: { field: 'created_utc', operator: '<' },
    flair: { field: 'flair', operator: '=' },
    is_nsfw: { field: 'is_nsfw', operator: '=' },
    has_media: { field: 'has_media', operator: '=' },
    min_comments: { field: 'num_comments', operator: '>=' },
    keyword: { field: 'keyword', operator: '=' },
    ids: { field: 'id', operator: 'in' },
  },
  countedFilters: ['forum'],
  indexedFilters: ['forum', 'author', 'created_after', 'created_before', 'ids'],
  orders: {},
  texts: ['title', 'selftext'],
};
