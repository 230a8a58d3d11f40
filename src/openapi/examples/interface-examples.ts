import { VERSION } from '../../common/version.js';
import { exportedFiles } from './exported-files.js';

/** Example bodies of one operation. */
export interface OperationExamples {
  request?: unknown;
  response?: unknown;
  /** Response bodies that are not JSON, by content type. */
  files?: Record<string, string>;
}

/** Workspace id used in every example. */
export const WORKSPACE = 'ws_7c1f0e7a-52b5-4d0e-8a0c-3d1b9d1f6a55';
/** Time used in every example that needs one. */
export const TIME = '2026-11-21T09:30:00.000Z';

/** An API key as shown in a list. */
export const apiKey = {
  id: 'key_0b9d6a52-7a3e-4c1b-9a57-5d0f3f7f8e21',
  name: 'Dashboard',
  key_prefix: 'rp_8fK2mQxZ',
  scopes: ['read'],
  is_active: true,
  last_used_at: null,
  created_at: TIME,
};

/** A job record right after creation. */
export const job = {
  id: 'job_4a1d7c0e-1f5b-4f63-b2a4-6f2f9a1c7d10',
  workspace_id: WORKSPACE,
  target: 'technology',
  target_type: 'forum',
  mode: 'full',
  config: {},
  status: 'pending',
  started_at: null,
  completed_at: null,
  duration_seconds: null,
  posts_scraped: 0,
  comments_scraped: 0,
  media_downloaded: 0,
  error_message: null,
  progress: {},
  created_at: TIME,
};

/** The record of a completed job. */
export const finishedJob = {
  ...job,
  status: 'completed',
  started_at: '2026-11-21T09:30:01.000Z',
  completed_at: '2026-11-21T09:30:43.500Z',
  duration_seconds: 42.5,
  posts_scraped: 100,
  comments_scraped: 2318,
  media_downloaded: 37,
  progress: { posts: 100, comments: 2318, media: 37, requests: 143, stop_reason: 'limit' },
};

const jobListItem = {
  id: job.id,
  target: 'technology',
  target_type: 'forum',
  status: 'completed',
  posts_scraped: 100,
  comments_scraped: 2318,
  created_at: TIME,
};

/** A post as shown in lists. */
export const postListItem = {
  id: 't3_1abc2d',
  forum: 'technology',
  title: 'A battery that charges in a minute',
  author: 'ada',
  created_utc: '2026-11-20T18:02:11.000Z',
  score: 512,
  upvote_ratio: 0.94,
  num_comments: 83,
  selftext: '',
  post_type: 'link',
  sentiment_label: 'positive',
  sentiment_score: 0.62,
};

/** A full post record. */
export const post = {
  ...postListItem,
  workspace_id: WORKSPACE,
  permalink: '/r/technology/comments/1abc2d/a_battery_that_charges_in_a_minute/',
  url: 'https://news.example.com/battery',
  is_nsfw: false,
  is_spoiler: false,
  flair: 'Energy',
  total_awards: 0,
  has_media: false,
  media_urls: [],
  keywords: ['battery', 'fast charging'],
  scraped_at: TIME,
};

/** A comment record. */
export const comment = {
  id: 42_424_242,
  comment_id: 't1_p9ai2',
  post_id: 't3_1abc2d',
  post_permalink: post.permalink,
  parent_id: 't3_1abc2d',
  author: 'grace',
  body: 'Impressive, if it lasts.',
  score: 17,
  created_utc: '2026-11-20T18:20:40.000Z',
  depth: 0,
  is_submitter: false,
  sentiment_score: 0.31,
  sentiment_label: 'positive',
  scraped_at: TIME,
};

/** A schedule record. */
export const schedule = {
  id: 'sched_9f1d2c3b-4a5e-4f6d-8b7c-0d1e2f3a4b5c',
  workspace_id: WORKSPACE,
  target: 'technology',
  target_type: 'forum',
  mode: 'monitor',
  config: { timezone: 'Europe/Berlin' },
  cron_expression: '*/15 * * * *',
  is_active: true,
  last_run_at: null,
  next_run_at: '2026-11-21T09:45:00.000Z',
  run_count: 0,
  created_at: TIME,
};

/** An alert record. */
export const alert = {
  id: 'alert_2b3c4d5e-6f70-4812-9a3b-4c5d6e7f8091',
  name: 'Our product',
  keywords: ['acme', 'acme phone'],
  forums: ['technology'],
  channel: 'webhook',
  channel_config: { webhook_url: 'https://hooks.example.com/acme' },
  is_active: true,
  last_triggered_at: null,
  trigger_count: 0,
  created_at: TIME,
};

/** A webhook record. */
export const webhook = {
  id: 'wh_6d7e8f90-a1b2-4c3d-8e4f-5061728394a5',
  url: 'https://hooks.example.com/scraping',
  events: ['job.completed', 'job.failed'],
  is_active: true,
  last_triggered_at: null,
  failure_count: 0,
  created_at: TIME,
};

const exported = { ...post, language: 'en', model_label: post.sentiment_label, sentiment_source: 'model' };

/** Examples for the operations of the interface, by operation id. */
export const INTERFACE_EXAMPLES: Record<string, OperationExamples> = {
  listApiKeys: { response: [apiKey] },
  createApiKey: {
    request: { name: 'Dashboard', scopes: ['read'] },
    response: { ...apiKey, key: 'rp_8fK2mQxZ0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u1vW2xY3z4' },
  },
  revokeApiKey: { response: { message: 'API key revoked' } },
  listSchedules: { response: [schedule] },
  createSchedule: {
    request: {
      target: 'technology',
      mode: 'monitor',
      cron_expression: '*/15 * * * *',
      config: { timezone: 'Europe/Berlin' },
    },
    response: schedule,
  },
  updateSchedule: {
    request: { is_active: false },
    response: {
      id: schedule.id,
      target: schedule.target,
      is_active: false,
      cron_expression: schedule.cron_expression,
      run_count: 12,
    },
  },
  deleteSchedule: { response: { message: 'Schedule deleted' } },
  createJob: { request: { target: 'technology', limit: 100, scrape_comments: true }, response: job },
  listJobs: { response: { jobs: [jobListItem], total: 1, has_more: false } },
  getJob: { response: finishedJob },
  cancelJob: { response: { message: 'Job cancelled' } },
  listPosts: {
    response: { posts: [postListItem], total: 1204, cursor: 'kD3r0sYqWyIyMDI2LTExLTIwIl0', has_more: true },
  },
  getPost: { response: post },
  listForums: { response: [{ forum: 'technology', post_count: 1204 }] },
  listComments: { response: { comments: [comment], total: 1, has_more: false } },
  exportPosts: {
    response: [exported],
    files: exportedFiles('posts', exported),
  },
  listAlerts: { response: [alert] },
  createAlert: {
    request: {
      name: alert.name,
      keywords: alert.keywords,
      forums: alert.forums,
      channel: 'webhook',
      channel_config: alert.channel_config,
    },
    response: alert,
  },
  deleteAlert: { response: { message: 'Alert deleted' } },
  listWebhooks: { response: [webhook] },
  createWebhook: {
    request: { url: webhook.url, events: webhook.events, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    response: webhook,
  },
  deleteWebhook: { response: { message: 'Webhook deleted' } },
  getLiveness: { response: { status: 'ok', version: VERSION } },
  getReadiness: { response: { status: 'ok', version: VERSION } },
};
