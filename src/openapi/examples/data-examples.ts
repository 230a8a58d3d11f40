import {
  apiKey,
  comment,
  finishedJob,
  job,
  post,
  postListItem,
  schedule,
  TIME,
  WORKSPACE,
  type OperationExamples,
} from './interface-examples.js';
import { OPML_EXAMPLE } from '../../platforms/feed/opml.js';
import { exportedFiles } from './exported-files.js';

const exportedComment = {
  ...comment,
  language: 'en',
  model_label: comment.sentiment_label,
  sentiment_source: 'model',
};

const CORRECTED = {
  sentiment_label: 'negative',
  sentiment_source: 'person',
  language: 'en',
  source: 'reddit',
  is_deleted: false,
};

const createdExport = {
  id: 'export_7c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f',
  workspace_id: WORKSPACE,
  name: 'Popular posts for the study',
  of: 'posts',
  format: 'parquet',
  compression: null,
  filters: { forum: 'technology', min_score: 10 },
  columns: ['id', 'created_utc', 'title', 'selftext', 'score'],
  destination: null,
  incremental_from: null,
  recurring_id: null,
  bom: false,
  pseudonymize: false,
  status: 'pending',
  rows: 0,
  bytes: 0,
  parts: [],
  error_message: null,
  created_at: TIME,
  started_at: null,
  completed_at: null,
  expires_at: null,
};

/** The record of a completed export. */
export const completedExport = {
  ...createdExport,
  status: 'completed',
  rows: 120_400,
  bytes: 31_457_280,
  parts: [
    {
      rows: 100_000,
      bytes: 26_214_400,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    {
      rows: 20_400,
      bytes: 5_242_880,
      sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    },
  ].map((part, index) => ({
    path: `/api/v1/workspaces/${WORKSPACE.slice(3)}/exports/${createdExport.id}/parts/${index + 1}`,
    ...part,
  })),
  started_at: TIME,
  completed_at: '2026-11-21T09:30:06.210Z',
  expires_at: '2026-11-28T09:30:06.210Z',
};

const recurringExport = {
  id: 'recurring_2b3c4d5e-6f70-4182-93a4-b5c6d7e8f901',
  name: 'Posts for the warehouse',
  of: 'posts',
  format: 'parquet',
  compression: null,
  filters: { forum: 'technology' },
  columns: null,
  bom: false,
  pseudonymize: false,
  destination: { url: 's3://s3.eu-central-1.amazonaws.com/warehouse/posts?region=eu-central-1' },
  only_changes: true,
  every: 'day',
  at: '06:00',
  weekday: 'monday',
  timezone: 'Europe/Berlin',
  is_active: true,
  next_run_at: '2026-11-22T05:00:00.000Z',
  last_run: {
    export_id: completedExport.id,
    status: 'completed',
    error_message: null,
    completed_at: completedExport.completed_at,
  },
  created_at: TIME,
};

/**
 * Examples for operations on jobs, schedules, API keys, exports and scraped data that are not part of the interface.
 */
export const DATA_EXAMPLES: Record<string, OperationExamples> = {
  followJob: {
    files: {
      'text/event-stream': `event: progress\ndata: ${JSON.stringify({ ...job, status: 'running' })}\n\nevent: end\ndata: ${JSON.stringify(finishedJob)}\n\n`,
    },
  },
  getJobLog: {
    response: {
      entries: [
        {
          at: TIME,
          level: 'info',
          event: 'created',
          message: 'The job was created',
          details: { mode: 'full', limit: 100 },
        },
        {
          at: '2026-11-21T09:30:02.000Z',
          level: 'warn',
          event: 'request_repeated',
          message: 'The request for forum "technology" failed and is retried (status 503)',
          details: { request: 'forum "technology"', cause: 'status 503', delay_ms: 214 },
        },
      ],
      left_out: 0,
    },
  },
  repeatJob: { response: job },
  listSources: {
    response: {
      sources: [
        {
          source: 'hackernews',
          name: 'Hacker News',
          targets: [
            { form: 'hn:top', example: 'hn:top', target_type: 'forum', description: 'the front page' },
          ],
          listen: { form: 'hackernews', example: 'hackernews' },
          id_prefixes: { post: 'hn_', comment: 'hn_' },
          origin: 'https://news.ycombinator.com',
          limit: { requests: 1_500, window_seconds: 600, per_site: false },
          modes: {
            full: 'posts from the newest on, with their comments',
            history: 'the posts of mode full',
            monitor: 'posts from the newest on, until all posts of a page are already stored',
          },
          lacks: ['scores of comments'],
        },
      ],
    },
  },
  resolveTarget: {
    request: { url: 'https://news.ycombinator.com/user?id=pg' },
    response: { target: 'hn:pg', target_type: 'user', source: 'hackernews', name: 'pg' },
  },
  createFeedSchedules: {
    request: OPML_EXAMPLE,
    response: { created: 1, existing: 0, refused: [] },
  },
  exportFeedSchedules: { files: { 'text/x-opml': OPML_EXAMPLE } },
  listPlugins: {
    response: [{ name: 'language_tagger', description: 'Stores the language of each post and comment.' }],
  },
  getApiKey: { response: apiKey },
  rollApiKey: {
    request: { overlap_seconds: 3_600 },
    response: { ...apiKey, key: 'rp_8fK2mQxZ7vB3nT6yL1pR9sW4hJ0dG5cA2eU8kXoMqV1zN4i' },
  },
  getSchedule: { response: schedule },
  listJobPosts: {
    response: { posts: [postListItem], total: 1, cursor: 'kD3r0sYqWyIyMDI2LTExLTIwIl0', has_more: false },
  },
  getComment: { response: comment },
  updatePostSentiment: {
    request: { label: 'negative' },
    response: { ...post, ...CORRECTED },
  },
  updateCommentSentiment: {
    request: { label: 'negative' },
    response: { ...comment, ...CORRECTED, post: { title: post.title, forum: post.forum } },
  },
  createExport: {
    request: {
      name: createdExport.name,
      of: 'posts',
      format: 'parquet',
      filters: createdExport.filters,
      columns: createdExport.columns,
    },
    response: createdExport,
  },
  listExports: { response: { exports: [completedExport], total: 1, has_more: false } },
  getExport: { response: completedExport },
  deleteExport: { response: { message: 'Export deleted' } },
  listRecurringExports: { response: [recurringExport] },
  createRecurringExport: {
    request: {
      name: recurringExport.name,
      of: recurringExport.of,
      format: recurringExport.format,
      filters: recurringExport.filters,
      every: recurringExport.every,
      at: recurringExport.at,
      timezone: recurringExport.timezone,
      only_changes: true,
      destination: {
        url: 's3://AKIAEXAMPLE@s3.eu-central-1.amazonaws.com/warehouse/posts?region=eu-central-1',
        secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
    },
    response: { ...recurringExport, last_run: null },
  },
  updateRecurringExport: {
    request: { is_active: false },
    response: { ...recurringExport, is_active: false, next_run_at: null },
  },
  deleteRecurringExport: { response: { message: 'Recurring export deleted' } },
  exportComments: {
    response: [exportedComment],
    files: exportedFiles('comments', exportedComment),
  },
  getPostHistory: {
    response: {
      history: [
        { seen_at: '2026-11-20T09:00:00.000Z', score: 12, upvote_ratio: 0.86, num_comments: 4 },
        { seen_at: '2026-11-20T10:00:00.000Z', score: 163, upvote_ratio: 0.93, num_comments: 51 },
      ],
    },
  },
  getPostAnnotations: { response: { language: 'en' } },
  listPostMedia: {
    response: [
      {
        id: '3f2a1b0c-4d5e-4f60-8a7b-9c0d1e2f3a4b',
        url: 'https://i.example.com/battery.jpg',
        content_type: 'image/jpeg',
        size: 184_203,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        path: `/api/v1/workspaces/${WORKSPACE.slice(3)}/posts/${post.id}/media/3f2a1b0c-4d5e-4f60-8a7b-9c0d1e2f3a4b`,
        downloaded_at: TIME,
      },
    ],
  },
  listScheduleRuns: {
    response: {
      runs: [
        {
          schedule_id: schedule.id,
          due_at: '2026-11-21T09:30:00.000Z',
          trigger: 'cron',
          job_id: null,
          skip_reason: 'previous_job_unfinished',
          detail: `The last job, ${job.id}, was still running`,
          recorded_at: '2026-11-21T09:30:00.412Z',
        },
        {
          schedule_id: schedule.id,
          due_at: '2026-11-21T09:15:00.000Z',
          trigger: 'cron',
          job_id: job.id,
          skip_reason: null,
          detail: null,
          recorded_at: '2026-11-21T09:15:00.388Z',
        },
      ],
      total: 2,
      has_more: false,
    },
  },
  listNextRuns: {
    response: {
      schedule_id: schedule.id,
      next_runs: ['2026-11-21T09:45:00.000Z', '2026-11-21T10:00:00.000Z'],
    },
  },
  runSchedule: { response: { ...job, mode: 'monitor', config: schedule.config } },
};
