import { caseSensitiveAuthors } from '../../platforms/author-case.js';
import type { ChoiceValue } from '../../search/choice.js';
import type { ListOrder, SearchedTableWith } from '../../search/searched-table.js';
import { sourceField } from '../../search/source-field.js';

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
  forum?: ChoiceValue;
  author?: ChoiceValue;
  min_score?: number;
  max_score?: number;
  post_type?: ChoiceValue;
  sentiment?: ChoiceValue;
  language?: ChoiceValue;
  source?: ChoiceValue;
  created_after?: string;
  created_before?: string;
  flair?: ChoiceValue;
  is_nsfw?: boolean;
  has_media?: boolean;
  min_comments?: number;
  keyword?: ChoiceValue;
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
    is_promotion: { sql: 'is_promotion', type: 'boolean', segment: true, facet: false, sort: false },
    has_media: { sql: 'has_media', type: 'boolean', segment: true, facet: false, sort: false },
    language: { sql: 'language', type: 'text', segment: true, facet: true, sort: false },
    source: sourceField('id'),
    created_utc: { sql: 'created_utc', type: 'timestamptz', segment: true, facet: false, sort: true },
    score: { sql: 'score', type: 'integer', segment: true, facet: false, sort: true },
    num_comments: { sql: 'num_comments', type: 'integer', segment: true, facet: false, sort: true },
    upvote_ratio: { sql: 'upvote_ratio', type: 'float8', segment: false, facet: false, sort: true },
    sentiment_score: { sql: 'sentiment_score', type: 'float8', segment: true, facet: false, sort: true },
    scraped_at: { sql: 'scraped_at', type: 'timestamptz', segment: false, facet: false, sort: true },
  },
  filters: {
    forum: { field: 'forum', operator: 'choice' },
    author: { field: 'author', operator: 'choice' },
    min_score: { field: 'score', operator: '>=' },
    max_score: { field: 'score', operator: '<=' },
    post_type: { field: 'post_type', operator: 'choice' },
    sentiment: { field: 'sentiment', operator: 'choice' },
    language: { field: 'language', operator: 'choice' },
    source: { field: 'source', operator: 'choice' },
    created_after: { field: 'created_utc', operator: '>=' },
    created_before: { field: 'created_utc', operator: '<' },
    flair: { field: 'flair', operator: 'choice' },
    is_nsfw: { field: 'is_nsfw', operator: '=' },
    has_media: { field: 'has_media', operator: '=' },
    min_comments: { field: 'num_comments', operator: '>=' },
    keyword: { field: 'keyword', operator: 'choice' },
    ids: { field: 'id', operator: 'in' },
  },
  countedFilters: ['forum'],
  indexedFilters: ['forum', 'author', 'created_after', 'created_before', 'ids'],
  orders: {},
  texts: ['title', 'selftext'],
};
