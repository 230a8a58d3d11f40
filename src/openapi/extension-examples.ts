import json2csv from 'json2csv';
import {
  apiKey,
  comment,
  alert,
  finishedJob,
  INTERFACE_EXAMPLES,
  job,
  type OperationExamples,
  post,
  postListItem,
  schedule,
  TIME,
  webhook,
  WORKSPACE,
} from './interface-examples.js';

const SIGN_IN_TOKEN = '7c1f0e7a-52b5-4d0e-8a0c-3d1b9d1f6a55.Zk3xQ0m9v7nT2sY5bW8cR1dJ4hL6pG0eU9aXoMqV1zN';

const delivery = {
  id: 'dlv_5b8e2f4c-9d0a-4b6e-8f1c-2a3b4c5d6e7f',
  event_id: 'evt_1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f',
  event_type: 'job.completed',
  status: 'delivered',
  attempts: 2,
  response_code: 204,
  duration_ms: 87,
  error: null,
  next_attempt_at: null,
  created_at: TIME,
  completed_at: '2026-11-21T09:30:06.210Z',
};

const pendingDelivery = {
  ...delivery,
  status: 'pending',
  attempts: 0,
  response_code: null,
  duration_ms: null,
  next_attempt_at: TIME,
  completed_at: null,
};

const deliveryHistory = {
  ...delivery,
  payload: {
    id: delivery.event_id,
    type: delivery.event_type,
    timestamp: TIME,
    workspace_id: WORKSPACE,
    data: finishedJob,
  },
  history: [
    {
      attempt: 1,
      attempted_at: TIME,
      succeeded: false,
      response_code: 503,
      duration_ms: 112,
      error: 'The receiver answered 503',
    },
    {
      attempt: 2,
      attempted_at: '2026-11-21T09:30:06.123Z',
      succeeded: true,
      response_code: 204,
      duration_ms: 87,
      error: null,
    },
  ],
};

const alertDelivery = { ...delivery, event_type: 'alert.triggered' };

const previewMatch = {
  post_id: post.id,
  forum: post.forum,
  title: post.title,
  author: post.author,
  created_utc: post.created_utc,
  permalink: post.permalink,
  keywords: ['battery'],
};

const adminWorkspace = {
  id: WORKSPACE,
  name: 'Marketing',
  status: 'active',
  created_at: TIME,
  last_activity_at: TIME,
  usage: { posts: 120_400, comments: 981_300, media_bytes: 73_400_320, pending_jobs: 3 },
  quotas: { webhooks: 200 },
  deletion: null,
};

const createdExport = {
  id: 'export_7c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f',
  workspace_id: WORKSPACE,
  of: 'posts',
  format: 'parquet',
  compression: null,
  filters: { forum: 'technology', min_score: 10 },
  incremental_from: null,
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

/** Examples by operation id: of the interface, and of the operations beyond it. Tests validate each against its schema. */
export const EXAMPLES: Record<string, OperationExamples> = {
  ...INTERFACE_EXAMPLES,
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
          message: 'The request for forum "technology" failed and is repeated (status 503)',
          details: { request: 'forum "technology"', cause: 'status 503', delay_ms: 214 },
        },
      ],
      left_out: 0,
    },
  },
  repeatJob: { response: job },
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
  createExport: {
    request: { of: 'posts', format: 'parquet', filters: createdExport.filters },
    response: createdExport,
  },
  listExports: { response: { exports: [completedExport], total: 1, has_more: false } },
  getExport: { response: completedExport },
  deleteExport: { response: { message: 'Export deleted' } },
  exportComments: {
    response: [comment],
    files: {
      'text/csv': json2csv.parse(comment, { eol: '\r\n' }),
      'application/x-ndjson': `${JSON.stringify(comment)}\n`,
    },
  },
  getFacets: {
    response: {
      total: 1_284,
      facets: { forum: [{ value: 'technology', count: 903 }], sentiment: [{ value: 'neutral', count: 611 }] },
    },
  },
  getTimeSeries: {
    response: {
      interval: 'day',
      timezone: 'UTC',
      buckets: [
        {
          start: '2026-11-20T00:00:00.000Z',
          count: 41,
          mean_sentiment: 0.112,
          split: { positive: 20, negative: 21 },
        },
        { start: '2026-11-21T00:00:00.000Z', count: 0, mean_sentiment: null, split: {} },
      ],
    },
  },
  getKeywords: {
    response: { keywords: [{ keyword: 'solid state', count: 120, previous_count: 80, change: 40 }] },
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
  previewAlert: {
    request: { keywords: ['battery'], forums: ['technology'] },
    response: { posts_scanned: 1000, total: 1, matches: [previewMatch] },
  },
  getAlert: { response: alert },
  updateAlert: {
    request: { keywords: ['acme'], is_active: false },
    response: { ...alert, keywords: ['acme'], is_active: false },
  },
  listAlertMatches: {
    response: {
      matches: [{ ...previewMatch, job_id: job.id, matched_at: TIME }],
      total: 1,
      has_more: false,
    },
  },
  listAlertDeliveries: { response: { deliveries: [alertDelivery], total: 1, has_more: false } },
  getAlertDelivery: { response: { ...deliveryHistory, event_type: 'alert.triggered' } },
  redeliverAlertDelivery: { response: { ...pendingDelivery, event_type: 'alert.triggered', attempts: 2 } },
  getWebhook: { response: webhook },
  updateWebhook: {
    request: { events: ['job.failed'], secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    response: { ...webhook, events: ['job.failed'] },
  },
  listWebhookDeliveries: { response: { deliveries: [delivery], total: 1, has_more: false } },
  getWebhookDelivery: { response: deliveryHistory },
  testWebhook: { response: { ...pendingDelivery, event_type: 'webhook.test' } },
  redeliverWebhookDelivery: { response: { ...pendingDelivery, attempts: 2 } },
  getWorkspace: {
    response: {
      workspace_id: WORKSPACE,
      name: 'Research',
      status: 'active',
      scopes: ['write'],
      key_prefix: 'rp_8fK2mQxZ',
    },
  },
  getUsage: {
    response: {
      quotas: {
        pending_jobs: { limit: 1_000, used: 3 },
        schedules: { limit: 1_000, used: 12 },
        alerts: { limit: 500, used: 4 },
        alert_keywords: { limit: 20_000, used: 96 },
        webhooks: { limit: 100, used: 2 },
        api_keys: { limit: 100, used: 5 },
        media_bytes: { limit: 107_374_182_400, used: 73_400_320 },
        concurrent_searches: { limit: 4, used: 0 },
        event_streams: { limit: 20, used: 1 },
        running_exports: { limit: 2, used: 0 },
      },
      storage: { posts: 120_400, comments: 981_300, media_bytes: 73_400_320 },
      requests_last_minute: 42,
    },
  },
  listAdminWorkspaces: {
    response: {
      workspaces: [adminWorkspace],
      total: 1,
      cursor: 'mAqJzv3ZVxDkWyIyMDI2LTExLTIxIl0',
      has_more: false,
    },
  },
  createAdminWorkspace: {
    request: { name: 'Marketing' },
    response: {
      ...adminWorkspace,
      last_activity_at: null,
      usage: { posts: 0, comments: 0, media_bytes: 0, pending_jobs: 0 },
      quotas: {},
      workspace_id: WORKSPACE.slice(3),
      api_key: 'rp_8fK2mQxZ7vB3nT6yL1pR9sW4hJ0dG5cA2eU8kXoMqV1zN4i',
    },
  },
  getAdminWorkspace: { response: adminWorkspace },
  updateAdminWorkspace: {
    request: { status: 'suspended', quotas: { webhooks: 200, alerts: null } },
    response: { ...adminWorkspace, status: 'suspended' },
  },
  deleteAdminWorkspace: {
    response: { ...adminWorkspace, status: 'deleting', deletion: { requested_at: TIME, rows: 0 } },
  },
  createAdminApiKey: {
    request: { name: 'Recovery key', scopes: ['admin'] },
    response: {
      ...apiKey,
      name: 'Recovery key',
      scopes: ['admin'],
      key: 'rp_8fK2mQxZ7vB3nT6yL1pR9sW4hJ0dG5cA2eU8kXoMqV1zN4i',
    },
  },
  revokeAdminApiKey: { response: { message: 'API key revoked' } },
  getAdminOverview: {
    response: {
      queues: [
        { queue: 'jobs', waiting: 3, oldest_seconds: 12.4 },
        { queue: 'exports', waiting: 0, oldest_seconds: 0 },
        { queue: 'schedules', waiting: 1, oldest_seconds: 0.3 },
        { queue: 'deliveries', waiting: 17, oldest_seconds: 240.8 },
      ],
      request_budget: [
        {
          source: 'reddit',
          limit: 100,
          window_seconds: 60,
          used: 64,
          remaining: 36,
          waiting: 0,
          resets_in_seconds: 211.5,
        },
        {
          source: 'hackernews',
          limit: 1_500,
          window_seconds: 600,
          used: 12,
          remaining: 1_488,
          waiting: 0,
          resets_in_seconds: null,
        },
      ],
      executions: [
        {
          job_id: job.id,
          workspace_id: WORKSPACE,
          target: 'technology',
          mode: 'full',
          started_at: TIME,
          worker: 'worker-1:4242',
          attempts: 1,
          lease_age_seconds: 1.2,
          lease_expired: false,
        },
      ],
      workers: [{ worker: 'worker-1:4242', seen_seconds_ago: 0.8, alive: true }],
      outbox: { pending: 0, lag_seconds: 0, set_aside: 0 },
      destinations: [
        {
          id: 'wh_7d1f9a52-5f33-4c3e-9a41-0b8f2c6d7e10',
          workspace_id: WORKSPACE,
          kind: 'webhook',
          failures: 9,
          next_attempt_at: TIME,
        },
      ],
      destinations_circuit_open: 1,
      database: {
        status: 'ok',
        latency_ms: 0.9,
        pools: [{ pool: 'control', in_use: 1, waiting: 0 }],
      },
      redis: { status: 'ok', latency_ms: 0.3 },
      versions: { service: '1.0.0', node: 'v22.13.0', postgres: '18.0', redis: '7.0.15' },
    },
  },
  retryAdminJob: {
    response: {
      ...job,
      status: 'pending',
      started_at: null,
      completed_at: null,
      duration_seconds: null,
      posts_scraped: 0,
      comments_scraped: 0,
      media_downloaded: 0,
      error_message: null,
      progress: {},
    },
  },
  retryAdminDestination: {
    response: {
      id: 'wh_7d1f9a52-5f33-4c3e-9a41-0b8f2c6d7e10',
      workspace_id: WORKSPACE,
      kind: 'webhook',
      deliveries_due: 17,
    },
  },
  createSession: { request: { api_key: 'rp_8fK2mQxZ7vB3nT6yL1pR9sW4hJ0dG5cA2eU8kXoMqV1zN4i' } },
  createSignInLink: {
    response: {
      path: `/sign-in#${SIGN_IN_TOKEN}`,
      token: SIGN_IN_TOKEN,
      expires_at: TIME,
    },
  },
  redeemSignInLink: { request: { token: SIGN_IN_TOKEN } },
  getSession: {
    response: {
      workspace_id: WORKSPACE,
      workspace_name: 'Marketing',
      scopes: ['admin'],
      key_prefix: apiKey.key_prefix,
    },
  },
  createAdminSession: { request: { admin_token: 'HAABImguTSuvkz1z39bFaRPpRisb_t8dtn20MARw9rs' } },
  getAdminSession: { response: { expires_at: '2026-11-21T21:30:00.000Z' } },
  listAuditEntries: {
    response: {
      entries: [
        {
          id: '5b8e2f4c-9d0a-4b6e-8f1c-2a3b4c5d6e7f',
          created_at: TIME,
          actor: 'api_key',
          actor_name: apiKey.key_prefix,
          ip: '203.0.113.7',
          action: 'createJob',
          workspace_id: WORKSPACE,
          resource: { id: job.id },
          fields: ['target', 'limit'],
          status: 201,
          request_id: '5f0c7a4e-8a40-4f0c-9f4e-2f1d3c5b6a79',
        },
      ],
      cursor: 'mAqJzv3ZVxDkWyIyMDI2LTExLTIxIl0',
      has_more: false,
    },
  },
  getMetrics: {
    files: {
      'text/plain':
        '# TYPE wss_http_request_duration_seconds histogram\nwss_http_request_duration_seconds_count{method="GET",route="/api/v1/workspaces/:workspace_id/jobs/:job_id",status="200"} 12\n',
    },
  },
};
