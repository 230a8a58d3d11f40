// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, refusal, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Scope } from '../../api/session.ts';
import { AlertPage } from './alert-page.tsx';
import { queryWith } from './alert-recall.tsx';
import { countsOf } from './alert-sources.tsx';
import { type Alert, recentSearchOf, searchOfAlert } from './alerts.ts';

// Canvas does not exist here.
vi.mock('../trends/trend-chart.tsx', () => ({ TrendChart: () => <p>The chart</p> }));

const alert = {
  id: 'al_1',
  name: 'Batteries',
  query: 'solar OR wind',
  keywords: ['battery'],
  of: 'posts',
  listen: [],
  forums: [],
  channel: 'webhook',
  channel_config: { webhook_url: 'https://e.org/' },
  delivery: null,
  is_active: true,
  last_triggered_at: null,
  trigger_count: 0,
  created_at: '2026-11-01T00:00:00.000Z',
};
const match = (id: string) => ({
  id,
  alert_id: 'al_1',
  matched_at: '2026-11-03T00:00:00.000Z',
  keywords: ['battery'],
  state: 'new',
  labels: [],
  note: '',
  relevance: null,
  reasons: null,
  duplicates: 4,
  post: {
    id: `t3_${id}`,
    title: `Title ${id}`,
    selftext: '',
    forum: 'energy',
    author: 'ana',
    created_utc: '2026-11-02T00:00:00.000Z',
    permalink: '/x',
    score: 1,
    sentiment_label: 'neutral',
    sentiment_score: 0,
  },
});
const UNDECIDED = {
  verdicts: { kept: 0, dismissed: 0 },
  ready: false,
  precision: null,
  min_relevance: null,
  hidden: 0,
};

async function page(
  changes: object = {},
  scope: Scope = 'admin',
  search = '',
  relevance: object = UNDECIDED,
) {
  const shown = { ...alert, ...changes };
  answer('GET /alerts', () => [200, [shown]]);
  answer('GET /alerts/al_1', () => [200, shown]);
  answer('GET /alerts/al_1/relevance', () => [200, relevance]);
  answer('GET /alerts/al_1/deliveries', () => [200, { deliveries: [], has_more: false }]);
  answer('GET /analytics/timeseries', () => [
    200,
    { interval: 'day', buckets: [{ start: '2026-11-02T00:00:00.000Z', count: 7, mean_sentiment: 0 }] },
  ]);
  answer('GET /analytics/facets', () => [
    200,
    { total: 4, facets: { source: [{ value: 'hackernews', count: 4 }] } },
  ]);
  answer('GET /matches', () => [
    200,
    {
      matches: [match('m1'), match('m2')],
      total: 2,
      counts: { new: 2, seen: 0, kept: 0, dismissed: 0 },
      has_more: false,
    },
  ]);
  answer('GET /stories', () => [200, { stories: [], left_out: 0, cursor: '', has_more: false }]);
  return show(<AlertPage />, scope, `/alerts/al_1${search}`, '/alerts/$alertId');
}

const button = (name: string | RegExp) => screen.findByRole('button', { name });

describe('the page of an alert', () => {
  it('says what keeps the alert from finding anything', async () => {
    await page({
      warnings: ['nothing_listened_to', 'no_mail_server'].map((code) => ({ code, message: '' })),
    });
    await screen.findByText(/^Nothing new is read/);
    expect(screen.queryByText(/^Its question/)).toBeNull();
  });

  it('shows its search, its trend, the share of its sources and its mentions', async () => {
    await page();
    await screen.findByText('solar OR wind');
    await screen.findByText('The chart');
    await screen.findByText('Posts: 7');
    await screen.findByText('4 · 100%');
    expect(await screen.findAllByText('4 duplicates')).toHaveLength(2);
    await screen.findByText('No stories in the last 30 days.');
    expect((await screen.findByRole('link', { name: 'All 2 in Mentions' })).getAttribute('href')).toContain(
      'alert=al_1',
    );
  });

  it('says that there is no such alert', async () => {
    answer('GET /alerts/al_1', () => [404, { code: 'not_found', detail: '' }]);
    await show(<AlertPage />, 'admin', '/alerts/al_1', '/alerts/$alertId');
    await screen.findByText('There is no such alert.');
  });

  it('offers nothing that changes the alert to those who may only read', async () => {
    await page({}, 'read');
    await screen.findByText('solar OR wind');
    await screen.findByText('Title m1');
    for (const name of ['Change', 'Test', 'Pause', 'Delete', 'Keep'])
      expect(screen.queryByRole('button', { name })).toBe(null);
  });

  it('says that it was created, with the way to what is stored already', async () => {
    await page({}, 'admin', '?created=yes');
    const link = await screen.findByRole('link', { name: 'Show what is stored already' });
    expect(link.getAttribute('href')).toContain('/search?');
  });

  it('changes the search in place, and shows a refusal at its field', async () => {
    answer('POST /alerts/preview', () => new Promise(() => undefined));
    answer('PATCH /alerts/al_1', () => refusal({ field: 'query', message: 'query is too long' }));
    const user = await page();
    await user.click(await button('Change'));
    expect(document.activeElement).toBe(screen.getByLabelText('Look for'));
    await user.type(screen.getByLabelText('Look for'), ' OR tide');
    await user.click(await button('Save'));
    await screen.findByText('Is too long');
    answer('PATCH /alerts/al_1', () => [200, alert]);
    await user.click(await button('Save'));
    await waitFor(() => expect(screen.queryByLabelText('Look for')).toBe(null));
    expect(document.activeElement).toBe(await button('Change'));
    expect(sent.findLast(({ operation }) => operation === 'PATCH /alerts/al_1')?.body).toEqual({
      query: 'solar OR wind OR tide',
      keywords: ['battery'],
      forums: [],
      of: 'posts',
    });
  });

  it('states how precise it is, with the interval', async () => {
    await page({}, 'admin', '', {
      verdicts: { kept: 12, dismissed: 8 },
      ready: true,
      precision: { estimate: 0.82, low: 0.7, high: 0.91 },
      min_relevance: 0.4,
      hidden: 5,
    });
    await screen.findByText(
      /^About 82% of the undecided mentions are relevant \(90 % interval: 70% to 91%\)/,
    );
    await screen.findByText('12 kept, 8 dismissed.');
    await screen.findByText('5 mentions below 40% are not sent.');
    expect(screen.queryByText(/^After ten decisions/)).toBe(null);
  });

  it('judges a mention by a key, of those that teach most', async () => {
    answer('PATCH /matches/m1', () => [200, {}]);
    const user = await page();
    await user.click(await button('Next to decide'));
    await screen.findByText(/^Keep \(S\) or dismiss/);
    (document.activeElement as HTMLElement).blur();
    await user.keyboard('d');
    await waitFor(() =>
      expect(sent.find(({ operation }) => operation === 'PATCH /matches/m1')?.body).toEqual({
        state: 'dismissed',
      }),
    );
    await waitFor(() => expect(screen.queryByText('Title m1')).toBe(null));
  });

  it('estimates what it misses on demand, and adds a word by one click', async () => {
    answer('GET /alerts/al_1/recall', () => [
      200,
      {
        found: 120,
        missed: { estimate: 30, low: 10, high: 55 },
        suggestions: [{ add: 'tide', query: 'solar OR wind OR tide', gain: 9, examples: ['t3_9'] }],
      },
    ]);
    answer('PATCH /alerts/al_1', () => [200, alert]);
    const user = await page();
    expect(sent.some(({ operation }) => operation.endsWith('/recall'))).toBe(false);
    await user.click(await button('Estimate'));
    await screen.findByText(/^It finds 120 .* About 30 more \(10 to 55\)/);
    expect(screen.getByRole('link', { name: 'Example 1' }).getAttribute('href')).toBe('/posts/t3_9');
    await user.click(await button('Add tide'));
    await waitFor(() =>
      expect(sent.find(({ operation }) => operation === 'PATCH /alerts/al_1')?.body).toEqual({
        query: '(solar OR wind) OR tide',
      }),
    );
  });

  it('names what was not read where it listens', async () => {
    answer('GET /alerts/al_1/listening', () => [
      200,
      {
        sources: [
          {
            source: 'lemmy:lemmy.world',
            state: 'refused',
            since: '2026-11-01T00:00:00.000Z',
            behind_seconds: null,
            read: 50,
            matched: 2,
            gaps: [
              { from: '2026-11-02T00:00:00.000Z', to: '2026-11-02T01:00:00.000Z', reason: 'It refused.' },
            ],
          },
        ],
      },
    ]);
    await page({ listen: ['lemmy:lemmy.world'] });
    await screen.findByText('Lemmy lemmy.world');
    await screen.findByText('refuses to be read');
    await screen.findByText(/^Not read from .*: It refused\.$/);
  });
});

it('the query with a suggested word keeps the keywords as they are', () => {
  const suggestion = { add: 'tide', query: 'solar OR tide' };
  expect(queryWith({ query: 'solar', keywords: [] }, suggestion)).toBe('solar OR tide');
  expect(queryWith({ query: 'solar -usb', keywords: ['wind'] }, suggestion)).toBe('(solar -usb) OR tide');
  expect(queryWith({ query: null, keywords: ['wind'] }, suggestion)).toBe('tide');
});

it('the sources of posts and comments are counted together', () => {
  expect(
    countsOf([
      [{ value: 'reddit', count: 3 }],
      [
        { value: 'hackernews', count: 4 },
        { value: 'reddit', count: 2 },
      ],
    ]),
  ).toEqual([
    { source: 'reddit', count: 5 },
    { source: 'hackernews', count: 4 },
  ]);
});

it('the search for what an alert finds has its query, its keywords and its table', () => {
  const both = { ...alert, of: 'all', keywords: ['battery', 'power "bank'] } as unknown as Alert;
  const q = '(solar OR wind) OR "battery" OR "power  bank"';
  expect(searchOfAlert(both)).toEqual({ q });
  expect(searchOfAlert(both, 'comments')).toEqual({ q, of: 'comments' });
  expect(recentSearchOf(both)).toEqual({ q, from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string });
});
