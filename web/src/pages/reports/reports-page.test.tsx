// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ReportPage } from './report-page.tsx';
import { ReportsPage } from './reports-page.tsx';

const report = {
  id: 'report_1',
  name: 'Weekly',
  alerts: ['al_1'],
  searches: [],
  every: 'week',
  weekday: 'friday',
  at: '07:30',
  timezone: 'Europe/Berlin',
  channel: 'webhook',
  channel_config: { webhook_url: 'https://e.org/' },
  created_at: '2026-11-01T00:00:00.000Z',
};
const line = (name: string, current: number) => ({
  alert_id: name,
  search_id: null,
  of: 'posts',
  name,
  filters: {},
  volume: { current, previous: 10, change: current - 10 },
  mean_sentiment: { current: null, previous: null, change: null },
  share_of_voice: { share: current / 40, low: 0.1, high: 0.9 },
});
const content = {
  every: 'month',
  name: 'Monthly',
  timezone: 'Europe/Berlin',
  period: { from: '2026-09-30T22:00:00.000Z', to: '2026-10-31T23:00:00.000Z' },
  previous: { from: '2026-08-31T22:00:00.000Z', to: '2026-09-30T22:00:00.000Z' },
  summary: '40 mentions, 20 before.',
  unchanged: false,
  lines: [line('Batteries', 30), line('Chargers', 10)],
  trend: [
    { start: '2026-09-30T22:00:00.000Z', volume: 4 },
    { start: '2026-10-01T22:00:00.000Z', volume: 36 },
  ],
  new_stories: [
    { id: 'st_1', post_id: 't3_1', title: '<img src=x>', size: 7, first_at: '2026-10-02T00:00:00.000Z' },
  ],
  to_answer: [
    {
      relevance: null,
      post_id: 't3_2',
      alert_id: 'al_1',
      title: 'Which charger?',
      forum: 'energy',
      author: 'ana',
      permalink: '/x',
      created_utc: '2026-10-02T00:00:00.000Z',
      score: 1,
      num_comments: 0,
      reasons: ['a question', 'no answer'],
    },
  ],
  not_read: [{ source: 'bluesky', reason: 'It was not read for an hour.' }],
};

describe('the reports', () => {
  async function list() {
    answer('GET /reports', () => [200, [report]]);
    answer('GET /alerts', () => [200, [{ id: 'al_1', name: 'Batteries', channel_config: {} }]]);
    answer('GET /searches', () => [200, []]);
    answer('POST /reports/preview', () => [200, content]);
    return show(<ReportsPage />, 'write', '/reports?create=yes');
  }

  it('are listed with their time, their sources and their channel', async () => {
    await list();
    await screen.findByText(/^Every Friday at 7:30.AM \(Europe\/Berlin\)$/);
    await screen.findByText('over 1 alert');
    expect(screen.getByText('Weekly').closest('a')?.getAttribute('href')).toBe('/reports/report_1');
  });

  it('are created with a preview, which needs a source', async () => {
    answer('POST /reports', () => [201, { ...report, id: 'report_2' }]);
    const user = await list();
    await screen.findByText('Choose an alert or a saved search to see the report.');
    await user.type(await screen.findByLabelText('Name'), 'Monthly');
    await user.click(await screen.findByLabelText('Batteries'));
    await screen.findByText('40 mentions, 20 before.');
    await user.selectOptions(screen.getByLabelText('Period'), 'Every month');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(sent.find(({ operation }) => operation === 'POST /reports')?.body).toMatchObject({
        name: 'Monthly',
        alerts: ['al_1'],
        searches: [],
        every: 'month',
        at: '08:00',
        channel: 'email',
      }),
    );
  });
});

describe('the page of a report', () => {
  async function page(latest: object) {
    answer('GET /reports/report_1', () => [200, report]);
    answer('GET /reports/report_1/latest', () => [200, latest]);
    return show(<ReportPage />, 'read', '/reports/report_1', '/reports/$reportId');
  }

  it('shows the period in the zone of the report, and figures with their share of voice', async () => {
    await page(content);
    await screen.findByText('Oct 1, 2026 to Oct 31, 2026, compared with Sep 1, 2026 to Sep 30, 2026');
    await screen.findByText('75%');
    expect(screen.getByText('75%').title).toBe('90 % interval: 10% to 90%');
    await screen.findByText('Most: 36, Oct 2, 2026');
    await screen.findByText(/a question, no answer$/);
    await screen.findByText('bluesky: It was not read for an hour.');
  });

  it('shows texts of strangers as plain texts', async () => {
    await page(content);
    expect((await screen.findByText('<img src=x>')).closest('a')?.getAttribute('href')).toBe('/stories/st_1');
    expect(document.querySelector('img')).toBe(null);
  });

  it('says that nothing changed, and offers no change to those who may only read', async () => {
    await page({ ...content, unchanged: true });
    await screen.findByText('Nothing changed.');
    expect(screen.queryByRole('button', { name: 'Delete Weekly' })).toBe(null);
  });
});
