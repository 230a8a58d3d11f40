import { reportHtml } from '../../alerts/reports/report-html.js';
import { reportOf } from '../../alerts/reports/report-of.js';
import { reportMarkdown } from '../../alerts/reports/report-text.js';
import { alert, post, TIME, type OperationExamples } from './interface-examples.js';

const SEARCH_ID = 'search_5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d';

const draft = {
  name: 'Our product each week',
  alerts: [alert.id],
  searches: [SEARCH_ID],
  every: 'week',
  at: '08:00',
  weekday: 'monday',
  timezone: 'Europe/Berlin',
} as const;
const channel = { channel: 'email', channel_config: { to: 'team@example.com' } };

const report = {
  id: 'report_3c2b1a09-8f7e-4d6c-9b5a-4f3e2d1c0b9a',
  ...draft,
  ...channel,
  created_at: TIME,
};

const [previous, from, to] = ['2026-11-08', '2026-11-15', '2026-11-22'].map(
  (day) => new Date(`${day}T23:00Z`),
);

const content = reportOf({
  name: draft.name,
  every: draft.every,
  timezone: draft.timezone,
  period: { from: from!, to: to! },
  previous: { from: previous!, to: from! },
  lines: [
    {
      ...{ alertId: alert.id, searchId: null, name: alert.name, of: 'posts' },
      filters: { q: 'acme OR "acme phone"', forum: ['technology'] },
      current: { volume: 120, sentiment: 0.214286 },
      previous: { volume: 96, sentiment: 0.180556 },
    },
    {
      ...{ alertId: null, searchId: SEARCH_ID, name: 'Batteries', of: 'posts' },
      filters: { q: 'battery -charger', min_score: 10 },
      current: { volume: 80, sentiment: -0.0625 },
      previous: { volume: 84, sentiment: 0.011905 },
    },
  ],
  trend: [
    { start: previous!, volume: 25 },
    { start: from!, volume: 31 },
  ],
  new_stories: [],
  to_answer: [
    {
      ...{ post_id: post.id, alert_id: alert.id, title: post.title, forum: post.forum, author: post.author },
      ...{ permalink: post.permalink, created_utc: new Date(post.created_utc), score: 128, num_comments: 0 },
      relevance: 0.91,
      reasons: ['no reply yet', '91 % relevant', '20 hours old', 'score 128'],
    },
  ],
  not_read: [{ source: 'hn:ask', reason: 'The source did not answer' }],
});
const answer = {
  response: JSON.parse(JSON.stringify(content)) as object,
  files: {
    'text/html': reportHtml(content, { picture: 'data:image/png;base64,iVBORw0KGgo=', dashboard: undefined }),
    'text/markdown': reportMarkdown(content, undefined),
  },
};

/** Examples of reports. */
export const REPORT_EXAMPLES: Record<string, OperationExamples> = {
  listReports: { response: [report] },
  createReport: { request: { ...draft, ...channel }, response: report },
  getReport: { response: report },
  updateReport: { request: { every: 'month' }, response: { ...report, every: 'month' } },
  deleteReport: { response: { message: 'Report deleted' } },
  previewReport: { request: draft, ...answer },
  getLatestReport: answer,
};
