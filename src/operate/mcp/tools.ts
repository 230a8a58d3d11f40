import { z } from 'zod';
import { DIRECTIONS, MEASURES, TRIGGERS } from '../../alerts/alert/alert-condition.dto.js';
import { SPIKE_INTERVALS } from '../../content/analytics/spike-series.js';
import { TARGET_TYPES } from '../../platforms/platform.js';
import { MATCH_VIEWS } from '../../alerts/triage/match.dto.js';
import { CHANNELS } from '../../messages/channels/channels.js';
import { COMMENT_FILTERS, POST_FILTERS } from './filter-arguments.js';
import type { Tool } from './tool.js';
import { argumentsOf } from './tool-arguments.js';

const LIMIT = z.number().int().min(1).max(50).default(10).describe('Items of this page');
const OF = z.enum(['posts', 'comments']).default('posts').describe('Kind of records that are searched');
const MODES = ['full', 'history', 'monitor'] as const;

const SETTING = z.union([z.string(), z.number(), z.array(z.string())]).optional();
/** The settings of all channels. */
const CHANNEL_CONFIG = argumentsOf(
  Object.fromEntries(
    CHANNELS.all.flatMap(({ fields }) => fields.map(({ key, label }) => [key, SETTING.describe(label)])),
  ),
);

/** The trigger of an alert. */
const CONDITION = argumentsOf({
  kind: z
    .enum(TRIGGERS)
    .optional()
    .describe('Every match (default), each story with three or more matches, or an unusual hour or day'),
  measure: z.enum(MEASURES).optional().describe('Of a spike'),
  interval: z.enum(SPIKE_INTERVALS).optional().describe('Of a spike'),
  direction: z.enum(DIRECTIONS).optional().describe('Of a spike'),
});

const id = (prefix: string) => z.string().max(80).describe(`Id that begins with ${prefix}_`);

/** The tools of `/mcp`, in the order of their list. Each is answered by one operation of the API. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'search_posts',
    title: 'Search posts',
    description: 'Finds stored posts. `total` is exact. Sort by relevance needs `q`.',
    scope: 'read',
    input: {
      ...POST_FILTERS,
      sort_by: z.enum(['created_utc', 'score', 'num_comments', 'sentiment_score', 'relevance']).optional(),
      sort_order: z.enum(['asc', 'desc']).optional(),
      limit: LIMIT,
    },
    request: (query) => ({ method: 'GET', path: '/posts', query }),
    isPage: true,
  },
  {
    name: 'search_comments',
    title: 'Search comments',
    description: 'Finds stored comments, newest first unless `sort_by` says otherwise. `total` is exact.',
    scope: 'read',
    input: {
      ...COMMENT_FILTERS,
      sort_by: z.enum(['created_utc', 'score', 'sentiment_score', 'relevance']).optional(),
      sort_order: z.enum(['asc', 'desc']).optional(),
      limit: LIMIT,
    },
    request: ({ cursor = '', ...query }) => ({
      method: 'GET',
      path: '/comments',
      query: { ...query, cursor },
    }),
    isPage: true,
  },
  {
    name: 'get_thread',
    title: 'Read the comments of a post',
    description:
      'Comments of one post in the order of the discussion; `depth` is 0 for answers to the post itself.',
    scope: 'read',
    input: {
      post_id: z.string().max(200).describe('Id of a post, as in search_posts'),
      limit: LIMIT,
    },
    request: ({ cursor = '', ...query }) => ({
      method: 'GET',
      path: '/comments',
      query: { ...query, cursor, sort_by: 'thread' },
    }),
    isPage: true,
  },
  {
    name: 'get_post',
    title: 'Read a post',
    description: 'One post with its whole text and all fields.',
    scope: 'read',
    input: { post_id: z.string().max(200) },
    request: ({ post_id }) => ({ method: 'GET', path: `/posts/${encodeURIComponent(String(post_id))}` }),
  },
  {
    name: 'count_by',
    title: 'Count by a field',
    description:
      'Exact counts of the most frequent values of fields, e.g. forums or sentiments, for a search.',
    scope: 'read',
    input: {
      of: OF,
      by: z
        .array(
          z.enum(['forum', 'author', 'post_type', 'sentiment', 'flair', 'keyword', 'language', 'source']),
        )
        .min(1)
        .max(8)
        .describe('Comments have forum, author, sentiment, language and source only'),
      ...POST_FILTERS,
      post_id: z
        .string()
        .max(200)
        .optional()
        .describe('Id of a post: its comments only, with `of: comments`'),
      limit: LIMIT,
    },
    request: ({ by, ...query }) => ({
      method: 'GET',
      path: '/analytics/facets',
      query: { ...query, by: (by as string[]).join(',') },
    }),
  },
  {
    name: 'count_over_time',
    title: 'Count over time',
    description: 'Counts and mean sentiment in each hour, day, week or month of a search.',
    scope: 'read',
    input: {
      of: OF,
      interval: z.enum(['hour', 'day', 'week', 'month']).default('day'),
      timezone: z.string().max(64).default('UTC').describe('IANA time zone'),
      split_by: z.enum(['forum', 'sentiment', 'post_type', 'language', 'source']).optional(),
      ...POST_FILTERS,
    },
    request: (query) => ({ method: 'GET', path: '/analytics/timeseries', query }),
  },
  {
    name: 'find_spikes',
    title: 'Find spikes',
    description:
      'Hours or days with unusually many posts or comments of a search, with the keywords and posts behind each.',
    scope: 'read',
    input: {
      of: OF,
      interval: z.enum(['hour', 'day']).default('hour'),
      timezone: z.string().max(64).default('UTC').describe('IANA time zone'),
      ...POST_FILTERS,
    },
    request: (query) => ({ method: 'GET', path: '/analytics/spikes', query }),
  },
  {
    name: 'list_alerts',
    title: 'List alerts',
    description: 'The alerts of the workspace, with how often each was triggered.',
    scope: 'read',
    input: {},
    request: () => ({ method: 'GET', path: '/alerts' }),
  },
  {
    name: 'list_matches',
    title: 'List matches of alerts',
    description:
      'Posts and comments that alerts matched, newest first, with their state and labels, and how relevant each probably is.',
    scope: 'read',
    input: {
      alert_id: id('alert').optional(),
      state: z.enum(['new', 'seen', 'kept', 'dismissed']).optional(),
      label: z.string().max(100).optional(),
      sort_by: z.enum(['matched_at', 'relevance', 'uncertainty']).optional(),
      min_relevance: z.number().min(0).max(1).optional(),
      view: z.enum(MATCH_VIEWS).optional().describe('`full` adds what is known of each author'),
      limit: LIMIT,
    },
    request: (query) => ({ method: 'GET', path: '/matches', query }),
    isPage: true,
  },
  {
    name: 'explain_query',
    title: 'Explain a query',
    description:
      'How the query language understands a text: normal form, tree, and the parts that were taken as words.',
    scope: 'read',
    input: { of: OF, q: z.string().max(4_000) },
    request: (query) => ({ method: 'GET', path: '/search/explain', query }),
  },
  {
    name: 'list_jobs',
    title: 'List scrape jobs',
    description:
      'The newest scrape jobs. After an answer without `cursor`, `offset` goes on after the jobs received so far.',
    scope: 'read',
    input: {
      status: z.enum(['pending', 'running', 'completed', 'cancelled', 'failed']).optional(),
      limit: LIMIT,
      offset: z.number().int().min(0).optional(),
    },
    request: (query) => ({ method: 'GET', path: '/jobs', query }),
  },
  {
    name: 'get_job',
    title: 'Read a scrape job',
    description: 'One scrape job with its progress, and why it waits or failed.',
    scope: 'read',
    input: { job_id: id('job') },
    request: ({ job_id }) => ({ method: 'GET', path: `/jobs/${encodeURIComponent(String(job_id))}` }),
  },
  {
    name: 'start_scrape',
    title: 'Start a scrape',
    description: 'Starts a job that collects posts of a forum or user. Ask the person before you call this.',
    scope: 'write',
    input: {
      target: z
        .string()
        .min(1)
        .max(255)
        .describe('e.g. hn:top, or another form that the service lists at /api/v1/sources'),
      target_type: z.enum(TARGET_TYPES).default('forum'),
      mode: z.enum(MODES).default('full'),
      limit: z.number().int().min(1).max(10_000).default(100),
      scrape_comments: z.boolean().default(true),
      download_media: z.boolean().default(false),
    },
    request: (body) => ({ method: 'POST', path: '/jobs', body }),
  },
  {
    name: 'create_alert',
    title: 'Create an alert',
    description:
      'Creates an alert on keywords or a query that notifies through a channel. Ask the person before you call this.',
    scope: 'write',
    input: {
      name: z.string().min(1).max(255),
      keywords: z.array(z.string().min(1)).max(100).optional().describe('Needed unless `query` is given'),
      query: z.string().max(4_000).optional().describe('In the query language, as `q` of search_posts'),
      forums: z.array(z.string()).max(100).optional(),
      condition: CONDITION.optional().describe('What triggers the alert'),
      channel: z.enum(CHANNELS.names).default('email'),
      channel_config: CHANNEL_CONFIG.optional().describe('e.g. { "to": "me@example.com" }'),
    },
    request: (body) => ({ method: 'POST', path: '/alerts', query: { view: 'full' }, body }),
  },
];
