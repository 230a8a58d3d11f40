// @vitest-environment happy-dom
import { show } from '../testing/page.tsx';
import { answer } from '../testing/service.ts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../api/session.ts';
import { JobsPage } from './jobs/jobs-page.tsx';
import { Members } from './settings/members.tsx';
import { WebhooksPage } from './webhooks/webhooks-page.tsx';

const webhook = {
  id: 'wh_1',
  url: 'https://example.com/hook',
  events: ['job.completed'],
  last_triggered_at: null,
  created_at: '2026-11-01T00:00:00.000Z',
};

describe('the list of webhooks', () => {
  it.each([
    [true, 0, 'Active'],
    [true, 2, 'The last 2 attempts failed'],
    [false, 0, 'Paused'],
    [false, 1, 'Switched off after 1 failed attempt'],
  ])('says why one does not send: active %s, %d failures', async (is_active, failure_count, text) => {
    answer('GET /webhooks', () => [200, [{ ...webhook, is_active, failure_count }]]);
    const failed = { id: 'd1', status: 'failed', error: 'gone: The receiver responded with 410' };
    answer('GET /webhooks/wh_1/deliveries', () => [
      200,
      { deliveries: failure_count > 0 ? [failed] : [], has_more: false },
    ]);
    await show(<WebhooksPage />, 'admin', '/webhooks');
    await screen.findByText(text);
    if (failure_count > 0) await screen.findByText('The receiver responded with 410');
  });
});

describe('a link that creates something', () => {
  const PAGES = [
    ['/webhooks', WebhooksPage],
    ['/jobs', JobsPage],
  ] as const;
  it.each(PAGES)('of %s tells a reader what is missing', async (address, Page) => {
    answer('GET /webhooks', () => [200, []]);
    answer('GET /jobs', () => [200, { jobs: [], has_more: false }]);
    const reader: Scope = 'read';
    await show(<Page />, reader, `${address}?create=yes`);
    await screen.findByText('This needs an API key with the "write" scope.');
    expect(screen.queryByRole('dialog')).toBe(null);
  });

  it('leaves the tab of all jobs marked', async () => {
    answer('GET /jobs', () => [200, { jobs: [], has_more: false }]);
    await show(<JobsPage />, 'read', '/jobs?create=yes');
    expect((await screen.findByRole('link', { name: 'All' })).getAttribute('aria-current')).toBe('page');
  });
});

it('members cannot be added while nobody can sign in with an account', async () => {
  answer('GET /members', () => [200, []]);
  answer('GET /session/oidc', () => [200, { issuer: null }]);
  await show(<Members />);
  await screen.findByText(/^Nobody can sign in with an account yet/);
  expect(screen.queryByRole('button', { name: 'Add a member' })).toBe(null);
  screen.getByRole('button', { name: 'Create a sign-in link' });
});
