import { feedDocument, type FeedForm } from '../../takeout/feeds/feed-documents.js';
import {
  alert,
  finishedJob,
  job,
  post,
  TIME,
  webhook,
  WORKSPACE,
  type OperationExamples,
} from './interface-examples.js';

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

const match = {
  id: 'match_7c6b5a49-3827-4165-9084-7f6e5d4c3b2a',
  alert_id: alert.id,
  matched_at: TIME,
  state: 'seen',
  labels: ['reply'],
  note: 'Ask support to answer',
  duplicates: 0,
  keywords: ['battery'],
  relevance: 0.91,
  reasons: [{ feature: 'battery', weight: 1.2 }],
  post,
};

const speaker = {
  posts: 12,
  comments: 140,
  first_seen_at: TIME,
  active_days: 31,
  promotional_share: 0.25,
};

const newSearch = {
  name: 'Batteries',
  of: 'posts',
  q: 'battery -charger',
  filters: { forum: 'technology', min_score: 10 },
  sort_by: 'score',
  sort_order: 'desc',
  listen: ['bluesky'],
};
const search = { id: 'search_5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d', ...newSearch, created_at: TIME };

const FEED = `https://scraper.example/api/v1/workspaces/${WORKSPACE.replace('ws_', '')}/feeds/2Wn0pJ5m9bQxT7vYc1dKfR8sLz4hGa6uEi3oXeVwBqM`;

const feedExample = (form: FeedForm): string =>
  feedDocument(
    form,
    {
      ...{ workspaceId: WORKSPACE, searchId: search.id, title: search.name },
      ...{ url: `${FEED}.${form}`, site: 'https://scraper.example/' },
    },
    [
      {
        id: post.id,
        title: post.title,
        body: post.selftext,
        author: post.author,
        forum: post.forum,
        createdUtc: new Date(post.created_utc),
        link: `https://www.reddit.com${post.permalink}`,
      },
    ],
  );

/** Examples for operations on alerts, webhooks and their deliveries that are not part of the interface. */
export const DELIVERY_EXAMPLES: Record<string, OperationExamples> = {
  previewAlert: {
    request: { query: 'battery -charger', of: 'all', forums: ['technology'] },
    response: {
      posts_scanned: 1000,
      total: 1,
      matches: [{ ...previewMatch, keywords: [] }],
      comments_scanned: 1000,
      comments_total: 0,
      comments: [],
    },
  },
  getAlert: { response: alert },
  updateAlert: {
    request: { keywords: ['acme'], is_active: false },
    response: { ...alert, keywords: ['acme'], is_active: false },
  },
  getAlertRecall: {
    response: {
      found: 160,
      missed: { estimate: 70, low: 33, high: 147 },
      suggestions: [
        { add: 'charging', query: 'battery OR charging', gain: 41, examples: ['t3_1abc23', 't3_1abc26'] },
      ],
    },
  },
  listAlertMatches: {
    response: {
      matches: [{ ...previewMatch, job_id: job.id, matched_at: TIME }],
      total: 1,
      has_more: false,
    },
  },
  createFeed: {
    response: {
      atom_url: `${FEED}.atom`,
      json_url: `${FEED}.json`,
      rss_url: `${FEED}.rss`,
    },
  },
  readAtomFeed: { files: { 'application/atom+xml': feedExample('atom') } },
  readJsonFeed: { files: { 'application/feed+json': feedExample('json') } },
  readRssFeed: { files: { 'application/rss+xml': feedExample('rss') } },
  endFeed: { response: { message: 'Feed ended' } },
  listSearches: { response: [search] },
  createSearch: { request: newSearch, response: search },
  getSearch: { response: search },
  updateSearch: { request: { name: 'Cells' }, response: { ...search, name: 'Cells' } },
  followSearch: {
    files: {
      'text/event-stream': `event: heartbeat\nid: 4711.0.0\ndata: {}\n\nevent: post\nid: 4712.9.1\ndata: ${JSON.stringify(post)}\n\n`,
    },
  },
  deleteSearch: { response: { message: 'Search deleted' } },
  listMatches: {
    response: {
      matches: [{ ...match, speaker }],
      total: 1,
      counts: { new: 0, seen: 1, kept: 0, dismissed: 0 },
      cursor: 'MTIzNDU2Nzg5WyIyMDI2LTExLTIxIl0',
      has_more: false,
    },
  },
  updateMatch: {
    request: { state: 'seen', labels: ['reply'], note: 'Ask support to answer' },
    response: match,
  },
  updateMatches: {
    request: { filter: { state: 'new' }, state: 'seen', add_labels: ['reply'] },
    response: { changed: 1 },
  },
  getAlertRelevance: {
    response: {
      verdicts: { kept: 31, dismissed: 14 },
      ready: true,
      min_relevance: 0.5,
      precision: { estimate: 0.88, low: 0.8, high: 0.95 },
      hidden: 62,
    },
  },
  getListening: {
    response: {
      sources: [
        {
          source: 'bluesky',
          state: 'live',
          read: 180_000,
          matched: 12,
          since: TIME,
          behind_seconds: 2,
          gaps: [],
        },
      ],
    },
  },
  listAlertDeliveries: { response: { deliveries: [alertDelivery], total: 1, has_more: false } },
  listNotificationDeliveries: { response: { deliveries: [alertDelivery], total: 1, has_more: false } },
  getAlertDelivery: { response: { ...deliveryHistory, event_type: 'alert.triggered' } },
  redeliverAlertDelivery: { response: { ...pendingDelivery, event_type: 'alert.triggered', attempts: 2 } },
  testAlert: { response: { ...pendingDelivery, event_type: 'alert.test' } },
  getWebhook: { response: webhook },
  updateWebhook: {
    request: { events: ['job.failed'], secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' },
    response: { ...webhook, events: ['job.failed'] },
  },
  listWebhookDeliveries: { response: { deliveries: [delivery], total: 1, has_more: false } },
  getWebhookDelivery: { response: deliveryHistory },
  testWebhook: { response: { ...pendingDelivery, event_type: 'webhook.test' } },
  redeliverWebhookDelivery: { response: { ...pendingDelivery, attempts: 2 } },
};
