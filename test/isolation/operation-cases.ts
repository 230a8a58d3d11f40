import { OPML_EXAMPLE } from '../../src/platforms/feed/opml.js';
import type { FilledWorkspace, TwoWorkspaces } from '../support/two-workspaces.js';

/** Path parameters of one request, besides `workspace_id`. */
export type Ids = Record<string, string>;

/** How one operation of the contract is tested across workspaces. */
export interface OperationCase {
  /** A successful request of a workspace with its own ids. */
  own: {
    ids?: (workspace: FilledWorkspace) => Ids;
    body?: object | string | ((workspace: FilledWorkspace) => object);
    status: number;
  };
  /**
   * Requests of `a` that name a resource of `b`. The response must be the same as for an id that never existed. Missing
   * where the path names only the workspace.
   */
  foreign?: (both: TwoWorkspaces) => Ids[];
  /** Status for an id that never existed; 404 by default. */
  unknown?: number;
  /** The list in a paged response, and how to request the next page. */
  pages?: { items: string; by: 'offset' | 'cursor' };
  /** Further queries that must not return rows of another workspace either. */
  queries?: Record<string, string>[];
}

/** The body of a request of a workspace. */
export const bodyOf = (
  { body }: OperationCase['own'],
  workspace: FilledWorkspace,
): object | string | undefined =>
  typeof body === 'function' ? (body as (of: FilledWorkspace) => object)(workspace) : body;

const DRAFT = { keywords: ['the', 'and'] };
const CHAT = { channel: 'chat_a', channel_config: { webhook_url: 'https://8.8.8.8/same' } };

/** Filters that match any post and comment of the tests. */
const POST_QUERIES: Record<string, string>[] = [
  { q: 'markofb' },
  { forum: 'technology', sort_by: 'score' },
  { author: 'markofb' },
  { q: 'markofa or markofb', sort_by: 'relevance' },
];

const POST_FILTERS = POST_QUERIES.map(({ sort_by: _, ...filter }) => filter as Record<string, string>);

const jobIds = (workspace: FilledWorkspace, states: (keyof FilledWorkspace['jobs'])[]): Ids[] =>
  states.map((state) => ({ job_id: workspace.jobs[state] }));

const EVERY_JOB = ({ b }: TwoWorkspaces) => jobIds(b, ['completed', 'pending', 'running', 'cancelled']);
const SCHEDULE = (workspace: FilledWorkspace) => ({ schedule_id: workspace.scheduleId });
const ALERT = (workspace: FilledWorkspace) => ({ alert_id: workspace.alertId });
const MATCH = ({ matchId }: FilledWorkspace) => ({ match_id: matchId });
const SEARCH = ({ searchId }: FilledWorkspace) => ({ search_id: searchId });
const STORY = ({ storyId }: FilledWorkspace) => ({ story_id: storyId });
const REPORT = ({ reportId }: FilledWorkspace) => ({ report_id: reportId });
const PIN = ({ pinId }: FilledWorkspace) => ({ pin_id: pinId });
const ERASURE = ({ erasureId }: FilledWorkspace) => ({ erasure_id: erasureId });
const SUPPRESSION = ({ suppressionId }: FilledWorkspace) => ({ suppression_id: suppressionId });
const WEBHOOK = (workspace: FilledWorkspace) => ({ webhook_id: workspace.webhookId });
const POST = (workspace: FilledWorkspace) => ({ post_id: workspace.postId });

const EXPORT = (workspace: FilledWorkspace) => ({ export_id: workspace.exports.completed });
const RECURRING_EXPORT = ({ recurringExportId }: FilledWorkspace) => ({
  recurring_export_id: recurringExportId,
});
const EVERY_EXPORT = ({ b }: TwoWorkspaces): Ids[] =>
  Object.values(b.exports).map((id) => ({ export_id: id }));

const WEBHOOK_DELIVERY = (workspace: FilledWorkspace) => ({
  ...WEBHOOK(workspace),
  delivery_id: workspace.deliveries.ofWebhook,
});
const ALERT_DELIVERY = (workspace: FilledWorkspace) => ({
  ...ALERT(workspace),
  delivery_id: workspace.deliveries.ofAlert,
});
/**
 * Another workspace's delivery under its own destination and under one of the caller's, and the caller's delivery under
 * another's destination.
 */
const FOREIGN_WEBHOOK_DELIVERIES = ({ a, b }: TwoWorkspaces): Ids[] => [
  WEBHOOK_DELIVERY(b),
  { ...WEBHOOK(a), delivery_id: b.deliveries.ofWebhook },
  { ...WEBHOOK(a), delivery_id: b.deliveries.pending },
  { ...WEBHOOK(b), delivery_id: a.deliveries.ofWebhook },
];
const FOREIGN_ALERT_DELIVERIES = ({ a, b }: TwoWorkspaces): Ids[] => [
  ALERT_DELIVERY(b),
  { ...ALERT(a), delivery_id: b.deliveries.ofAlert },
  { ...ALERT(b), delivery_id: a.deliveries.ofAlert },
];

/** Every operation of the contract below a workspace, by its id; the tests fail for an operation without an entry. */
const DATASET = ({ datasets }: FilledWorkspace) => ({ dataset_id: datasets.completed });
const EVERY_DATASET = ({ b }: TwoWorkspaces): Ids[] =>
  Object.values(b.datasets).map((id) => ({ dataset_id: id }));

export const OPERATION_CASES: Record<string, OperationCase> = {
  getUsage: { own: { status: 200 } },

  listApiKeys: { own: { status: 200 } },
  createApiKey: { own: { body: { name: 'Same name' }, status: 201 } },
  getApiKey: {
    own: { ids: ({ keyId }) => ({ key_id: keyId }), status: 200 },
    foreign: ({ b }) => [{ key_id: b.keyId }],
  },
  rollApiKey: {
    own: { ids: ({ keyId }) => ({ key_id: keyId }), body: {}, status: 201 },
    foreign: ({ b }) => [{ key_id: b.keyId }],
  },
  revokeApiKey: {
    own: { ids: ({ keyId }) => ({ key_id: keyId }), status: 200 },
    foreign: ({ b }) => [{ key_id: b.keyId }],
  },

  getNotificationSettings: { own: { status: 200 } },
  updateNotificationSettings: { own: { body: { email: null }, status: 200 } },
  listNotificationDeliveries: { own: { status: 200 } },

  listSessions: { own: { status: 200 } },
  endSession: {
    own: { ids: ({ sessionId }) => ({ session_id: sessionId }), status: 200 },
    foreign: ({ b }) => [{ session_id: b.sessionId }],
  },
  endAllSessions: { own: { status: 200 } },

  listAudit: {
    own: { status: 200 },
    queries: [{ q: 'markofb' }, { q: 'same@example.org' }, { action: 'createAlert', actor: 'api_key' }],
  },
  listMembers: { own: { status: 200 } },
  createMember: { own: { body: { email: 'new@example.org', role: 'editor' }, status: 201 } },
  updateMember: {
    own: { ids: ({ memberId }) => ({ member_id: memberId }), body: { role: 'owner' }, status: 200 },
    foreign: ({ b }) => [{ member_id: b.memberId }],
  },
  removeMember: {
    own: { ids: ({ memberId }) => ({ member_id: memberId }), status: 200 },
    foreign: ({ b }) => [{ member_id: b.memberId }],
  },

  createJob: { own: { body: { target: 'technology' }, status: 201 } },
  listJobs: {
    own: { status: 200 },
    pages: { items: 'jobs', by: 'offset' },
    queries: [
      { status: 'pending' },
      { status: 'running' },
      { status: 'completed' },
      { status: 'cancelled' },
      { view: 'full' },
      { target: 'technology', mode: 'full' },
    ],
  },
  getJob: { own: { ids: (w) => ({ job_id: w.jobs.completed }), status: 200 }, foreign: EVERY_JOB },
  cancelJob: { own: { ids: (w) => ({ job_id: w.jobs.pending }), status: 200 }, foreign: EVERY_JOB },
  followJob: { own: { ids: (w) => ({ job_id: w.jobs.completed }), status: 200 }, foreign: EVERY_JOB },
  listJobPosts: {
    own: { ids: (w) => ({ job_id: w.jobs.completed }), status: 200 },
    foreign: EVERY_JOB,
    pages: { items: 'posts', by: 'cursor' },
    queries: POST_QUERIES,
  },
  getJobLog: { own: { ids: (w) => ({ job_id: w.jobs.completed }), status: 200 }, foreign: EVERY_JOB },
  repeatJob: { own: { ids: (w) => ({ job_id: w.jobs.completed }), status: 201 }, foreign: EVERY_JOB },
  listPlugins: { own: { status: 200 } },
  createFeedSchedules: { own: { body: OPML_EXAMPLE, status: 201 } },
  exportFeedSchedules: { own: { status: 200 } },
  resolveTarget: { own: { body: { url: 'https://news.ycombinator.com/ask' }, status: 200 } },

  listPosts: { own: { status: 200 }, pages: { items: 'posts', by: 'cursor' }, queries: POST_QUERIES },
  listForums: { own: { status: 200 } },
  getPost: {
    own: { ids: POST, status: 200 },
    foreign: ({ postOfB }) => [{ post_id: postOfB }],
  },
  getPostHistory: {
    own: { ids: POST, status: 200 },
    foreign: ({ postOfB }) => [{ post_id: postOfB }],
  },
  getPostAnnotations: {
    own: { ids: POST, status: 200 },
    foreign: ({ postOfB }) => [{ post_id: postOfB }],
  },
  listComments: {
    own: { status: 200 },
    pages: { items: 'comments', by: 'offset' },
    queries: [{ q: 'markofb' }, { author: 'markofb' }],
  },
  updatePostSentiment: {
    own: { ids: POST, body: { label: 'negative' }, status: 200 },
    foreign: ({ postOfB }) => [{ post_id: postOfB }],
  },
  updateCommentSentiment: {
    own: { ids: (w) => ({ comment_id: w.commentId }), body: { label: 'negative' }, status: 200 },
    foreign: ({ commentOfB }) => [{ comment_id: commentOfB }],
  },
  getComment: {
    own: { ids: (w) => ({ comment_id: w.commentId }), status: 200 },
    foreign: ({ commentOfB }) => [{ comment_id: commentOfB }],
  },
  getFacets: {
    own: { status: 200 },
    queries: [{ by: 'forum,author,keyword' }, { of: 'comments', by: 'author' }, ...POST_FILTERS],
  },
  getTimeSeries: { own: { status: 200 }, queries: [{ of: 'comments', interval: 'month' }, ...POST_FILTERS] },
  getKeywords: { own: { status: 200 }, queries: POST_FILTERS },
  suggestQueries: { own: { body: { about: 'markofb and markofa' }, status: 200 } },
  getRecall: { own: { status: 200 }, queries: [{ of: 'comments', q: 'markofb' }, ...POST_FILTERS] },
  listStoryPosts: {
    own: { ids: STORY, status: 200 },
    foreign: ({ b }) => [STORY(b)],
  },
  listStories: { own: { status: 200 }, queries: [{ of: 'comments', q: 'markofb' }, ...POST_FILTERS] },
  findSpikes: { own: { status: 200 }, queries: [{ of: 'comments', interval: 'day' }, ...POST_FILTERS] },
  getQueryExplanation: { own: { status: 200 } },

  listSchedules: { own: { status: 200 } },
  createSchedule: {
    own: { body: { target: 'technology', cron_expression: '0 5 * * *' }, status: 201 },
  },
  getSchedule: { own: { ids: SCHEDULE, status: 200 }, foreign: ({ b }) => [SCHEDULE(b)] },
  updateSchedule: {
    own: { ids: SCHEDULE, body: { is_active: false }, status: 200 },
    foreign: ({ b }) => [SCHEDULE(b)],
  },
  deleteSchedule: { own: { ids: SCHEDULE, status: 200 }, foreign: ({ b }) => [SCHEDULE(b)] },
  listScheduleRuns: {
    own: { ids: SCHEDULE, status: 200 },
    foreign: ({ b }) => [SCHEDULE(b)],
    pages: { items: 'runs', by: 'offset' },
  },
  listNextRuns: { own: { ids: SCHEDULE, status: 200 }, foreign: ({ b }) => [SCHEDULE(b)] },
  runSchedule: { own: { ids: SCHEDULE, status: 201 }, foreign: ({ b }) => [SCHEDULE(b)] },

  listAlerts: { own: { status: 200 }, queries: [{ view: 'full' }] },
  createAlert: { own: { body: { name: 'Common words', ...DRAFT, ...CHAT }, status: 201 } },
  getAlertRecall: { own: { ids: ALERT, status: 200 }, foreign: ({ b }) => [ALERT(b)] },
  previewAlert: { own: { body: { query: 'the OR and', of: 'all' }, status: 200 } },
  getAlert: { own: { ids: ALERT, status: 200 }, foreign: ({ b }) => [ALERT(b)] },
  updateAlert: {
    own: { ids: ALERT, body: { is_active: false, ...CHAT }, status: 200 },
    foreign: ({ b }) => [ALERT(b)],
  },
  deleteAlert: { own: { ids: ALERT, status: 200 }, foreign: ({ b }) => [ALERT(b)] },
  getAlertRelevance: { own: { ids: ALERT, status: 200 }, foreign: ({ b }) => [ALERT(b)] },
  listAlertMatches: {
    own: { ids: ALERT, status: 200 },
    foreign: ({ b }) => [ALERT(b)],
    pages: { items: 'matches', by: 'offset' },
  },

  listMatches: {
    own: { status: 200 },
    pages: { items: 'matches', by: 'cursor' },
    queries: [
      { state: 'new' },
      { of: 'posts' },
      { sort_by: 'relevance' },
      { sort_by: 'uncertainty', min_relevance: '0.5' },
      { view: 'full' },
    ],
  },
  updateMatch: { own: { ids: MATCH, body: { state: 'seen' }, status: 200 }, foreign: ({ b }) => [MATCH(b)] },
  updateMatches: { own: { body: { filter: {}, add_labels: ['read'] }, status: 200 } },

  createFeed: { own: { ids: SEARCH, status: 201 }, foreign: ({ b }) => [SEARCH(b)] },
  endFeed: { own: { ids: SEARCH, status: 200 }, foreign: ({ b }) => [SEARCH(b)] },
  listSearches: { own: { status: 200 } },
  createSearch: { own: { body: { name: 'Same name', q: 'the' }, status: 201 } },
  getSearch: { own: { ids: SEARCH, status: 200 }, foreign: ({ b }) => [SEARCH(b)] },
  updateSearch: { own: { ids: SEARCH, body: { q: 'a' }, status: 200 }, foreign: ({ b }) => [SEARCH(b)] },
  followSearch: { own: { ids: SEARCH, status: 200 }, foreign: ({ b }) => [SEARCH(b)] },
  deleteSearch: { own: { ids: SEARCH, status: 200 }, foreign: ({ b }) => [SEARCH(b)] },

  listPinnedTrends: { own: { status: 200 } },
  createPinnedTrend: {
    own: {
      body: { queries: ['the'], of: 'posts', period: '30', interval: 'day', measure: 'count' },
      status: 201,
    },
  },
  deletePinnedTrend: { own: { ids: PIN, status: 200 }, foreign: ({ b }) => [PIN(b)] },
  createTrendLink: { own: { ids: PIN, status: 201 }, foreign: ({ b }) => [PIN(b)] },
  endTrendLink: { own: { ids: PIN, status: 200 }, foreign: ({ b }) => [PIN(b)] },

  listReports: { own: { status: 200 } },
  createReport: {
    own: { body: ({ alertId }) => ({ name: 'Same name', alerts: [alertId] }), status: 201 },
  },
  previewReport: {
    own: { body: ({ alertId, searchId }) => ({ alerts: [alertId], searches: [searchId] }), status: 200 },
  },
  getReport: { own: { ids: REPORT, status: 200 }, foreign: ({ b }) => [REPORT(b)] },
  getLatestReport: {
    own: { ids: REPORT, status: 200 },
    foreign: ({ b }) => [REPORT(b)],
    queries: [{ format: 'html' }, { format: 'md' }],
  },
  updateReport: {
    own: { ids: REPORT, body: { every: 'day' }, status: 200 },
    foreign: ({ b }) => [REPORT(b)],
  },
  deleteReport: { own: { ids: REPORT, status: 200 }, foreign: ({ b }) => [REPORT(b)] },

  listErasures: { own: { status: 200 }, pages: { items: 'erasures', by: 'offset' } },
  createErasure: { own: { body: { author: 'nobody', reason: 'asked' }, status: 202 } },
  getErasure: { own: { ids: ERASURE, status: 200 }, foreign: ({ b }) => [ERASURE(b)] },
  deletePost: { own: { ids: POST, status: 202 }, foreign: ({ postOfB }) => [{ post_id: postOfB }] },
  deleteComment: {
    own: { ids: (w) => ({ comment_id: w.commentId }), status: 202 },
    foreign: ({ commentOfB }) => [{ comment_id: commentOfB }],
  },
  listSuppressions: { own: { status: 200 }, pages: { items: 'suppressions', by: 'offset' } },
  deleteSuppression: { own: { ids: SUPPRESSION, status: 200 }, foreign: ({ b }) => [SUPPRESSION(b)] },

  listWebhooks: { own: { status: 200 } },
  createWebhook: { own: { body: { url: 'https://8.8.8.8/same' }, status: 201 } },
  getWebhook: { own: { ids: WEBHOOK, status: 200 }, foreign: ({ b }) => [WEBHOOK(b)] },
  updateWebhook: {
    own: {
      ids: WEBHOOK,
      body: { is_active: false, secret: 'another secret of more than 24 bytes' },
      status: 200,
    },
    foreign: ({ b }) => [WEBHOOK(b)],
  },
  deleteWebhook: { own: { ids: WEBHOOK, status: 200 }, foreign: ({ b }) => [WEBHOOK(b)] },
  listWebhookDeliveries: {
    own: { ids: WEBHOOK, status: 200 },
    foreign: ({ b }) => [WEBHOOK(b)],
    pages: { items: 'deliveries', by: 'offset' },
    queries: [{ status: 'pending' }, { status: 'delivered' }],
  },
  getWebhookDelivery: { own: { ids: WEBHOOK_DELIVERY, status: 200 }, foreign: FOREIGN_WEBHOOK_DELIVERIES },
  testWebhook: { own: { ids: WEBHOOK, status: 201 }, foreign: ({ b }) => [WEBHOOK(b)] },
  redeliverWebhookDelivery: {
    own: { ids: WEBHOOK_DELIVERY, status: 200 },
    foreign: FOREIGN_WEBHOOK_DELIVERIES,
  },
  listAlertDeliveries: {
    own: { ids: ALERT, status: 200 },
    foreign: ({ b }) => [ALERT(b)],
    pages: { items: 'deliveries', by: 'offset' },
  },
  getAlertDelivery: { own: { ids: ALERT_DELIVERY, status: 200 }, foreign: FOREIGN_ALERT_DELIVERIES },
  getListening: { own: { ids: ALERT, status: 200 }, foreign: ({ b }) => [ALERT(b)] },
  testAlert: { own: { ids: ALERT, status: 201 }, foreign: ({ b }) => [ALERT(b)] },
  redeliverAlertDelivery: { own: { ids: ALERT_DELIVERY, status: 200 }, foreign: FOREIGN_ALERT_DELIVERIES },

  exportPosts: {
    own: { status: 200 },
    queries: [{ format: 'csv' }, { format: 'json' }, { format: 'ndjson' }, ...POST_QUERIES],
  },
  exportComments: {
    own: { status: 200 },
    queries: [
      { format: 'csv' },
      { format: 'json' },
      { format: 'ndjson' },
      { q: 'markofb' },
      { author: 'markofb' },
    ],
  },
  createExport: { own: { body: { of: 'posts', format: 'csv' }, status: 201 } },
  listExports: { own: { status: 200 }, pages: { items: 'exports', by: 'offset' } },
  getExport: { own: { ids: EXPORT, status: 200 }, foreign: EVERY_EXPORT },
  getExportPart: {
    own: { ids: (w) => ({ ...EXPORT(w), number: '1' }), status: 200 },
    foreign: (both) => EVERY_EXPORT(both).map((ids) => ({ ...ids, number: '1' })),
  },
  deleteExport: {
    own: { ids: (w) => ({ export_id: w.exports.pending }), status: 200 },
    foreign: EVERY_EXPORT,
  },
  listRecurringExports: { own: { status: 200 } },
  createRecurringExport: { own: { body: { name: 'Daily', of: 'posts', format: 'csv' }, status: 201 } },
  updateRecurringExport: {
    own: { ids: RECURRING_EXPORT, body: { is_active: false }, status: 200 },
    foreign: ({ b }) => [RECURRING_EXPORT(b)],
  },
  deleteRecurringExport: {
    own: { ids: RECURRING_EXPORT, status: 200 },
    foreign: ({ b }) => [RECURRING_EXPORT(b)],
  },
  createLabels: { own: { body: { labeller: 'new', csv: 'id,label\nt3_a,good' }, status: 201 } },
  listLabels: { own: { status: 200 } },
  getAgreement: { own: { status: 200 }, queries: [{ labellers: 'same' }] },
  deleteLabels: {
    own: { ids: () => ({ labeller: 'same' }), status: 200 },
    foreign: () => [{ labeller: 'only_in_b' }],
  },
  createDataset: { own: { body: { name: 'Same name', of: 'posts' }, status: 201 } },
  listDatasets: { own: { status: 200 }, pages: { items: 'datasets', by: 'offset' } },
  getDataset: { own: { ids: DATASET, status: 200 }, foreign: EVERY_DATASET },
  getDatasetPart: {
    own: { ids: (w) => ({ ...DATASET(w), number: '1' }), status: 200 },
    foreign: (both) => EVERY_DATASET(both).map((ids) => ({ ...ids, number: '1' })),
  },
  deleteDataset: {
    own: { ids: (w) => ({ dataset_id: w.datasets.unfinished }), status: 200 },
    foreign: EVERY_DATASET,
  },
  listPostMedia: {
    own: { ids: POST, status: 200 },
    foreign: ({ postOfB }) => [{ post_id: postOfB }],
    unknown: 200,
  },
  getPostMedia: {
    own: { ids: (w) => ({ ...POST(w), media_id: w.mediaId }), status: 200 },
    foreign: ({ a, b, postOfB }) => [
      { ...POST(b), media_id: b.mediaId },
      { ...POST(a), media_id: b.mediaId },
      { post_id: postOfB, media_id: b.mediaId },
      { post_id: postOfB, media_id: a.mediaId },
    ],
  },
};
