import { expect, it } from 'vitest';
import type { Schemas } from '../../api/client.ts';
import { attentionOf } from './attention.ts';

const NOW = Date.parse('2026-11-27T10:00:00Z');
const job = (fields: Partial<Schemas['JobDto']>): Schemas['JobDto'] => ({
  id: 'job_1',
  workspace_id: 'ws_1',
  target: 'technology',
  target_type: 'forum',
  mode: 'full',
  config: {},
  status: 'failed',
  started_at: null,
  completed_at: null,
  duration_seconds: null,
  posts_scraped: 0,
  comments_scraped: 0,
  media_downloaded: 0,
  error_message: 'It is private.',
  progress: {},
  created_at: '2026-11-27T09:00:00Z',
  ...fields,
});
const webhook = (fields: Partial<Schemas['WebhookDto']>): Schemas['WebhookDto'] => ({
  id: 'wh_1',
  url: 'https://hooks.example.com/secret-token',
  events: [],
  is_active: true,
  last_triggered_at: null,
  failure_count: 0,
  created_at: '2026-11-27T09:00:00Z',
  ...fields,
});
const nothing = { jobs: [], alerts: [], webhooks: [], schedules: [], quotas: {} };

const textsOf = (given: Partial<Parameters<typeof attentionOf>[0]>): string[] =>
  attentionOf({ ...nothing, ...given }, NOW).map(({ title, text }) => `${title}: ${text}`);

it('names a source that refuses', () => {
  expect(textsOf({ jobs: [job({ progress: { error_code: 'target_private' } })] })).toEqual([
    'technology: The source refuses to be read. It is private.',
  ]);
});

it('forgets a failure after the source was read, or after a week', () => {
  const completed = job({ id: 'job_2', status: 'completed' });
  expect(textsOf({ jobs: [completed, job({})] })).toEqual([]);
  expect(textsOf({ jobs: [job({ created_at: '2026-11-19T09:00:00Z' })] })).toEqual([]);
});

it('shows a failure while the next job of the source is still running', () => {
  expect(textsOf({ jobs: [job({ id: 'job_2', status: 'running' }), job({})] })).toHaveLength(1);
});

it('names a failing webhook by its host, without the token in its address', () => {
  expect(textsOf({ webhooks: [webhook({ failure_count: 3 }), webhook({})] })).toEqual([
    'hooks.example.com: The last 3 attempts to reach it failed.',
  ]);
});

it('names an active alert whose messages do not arrive, or cannot be sent at all', () => {
  const alert = { id: 'alert_1', name: 'Batteries', is_active: true };
  const health = { streak: 2, reason: 'HTTP 500' };
  const obstacle = 'There is no mail server.';
  expect(
    textsOf({
      alerts: [
        { alert, health, obstacle: null },
        { alert, health: null, obstacle },
        { alert, health: { streak: 0, reason: null }, obstacle: null },
        { alert: { ...alert, is_active: false }, health, obstacle },
      ],
    }),
  ).toEqual(['Batteries: The last 2 messages were not delivered. HTTP 500', `Batteries: ${obstacle}`]);
});

it('names quotas that are used by more than 80 %', () => {
  const quotas = { alerts: { limit: 100, used: 81 }, schedules: { limit: 100, used: 80 } };
  expect(textsOf({ quotas })).toEqual(['Alerts: 81% of the quota is used.']);
  expect(textsOf({ quotas: { alerts: { limit: 0, used: 500 } } })).toEqual([]);
});
