// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import AlertBuilder from './alert-builder.tsx';
import { AlertsPage } from './alerts-page.tsx';

vi.mock('../../synthetic.ts', () => ({ HAS_EMAIL: false, HAS_SYNTHETIC_REDDIT: false }));

const alert = {
  id: 'al_1',
  name: 'Batteries',
  keywords: ['battery', 'power bank'],
  forums: [],
  channel: 'email',
  channel_config: {},
  is_active: true,
  last_triggered_at: null,
  trigger_count: 0,
  created_at: '2026-11-01T00:00:00.000Z',
  query: 'solar OR wind',
  of: 'comments',
};

async function page(changes: object = {}) {
  answer('GET /alerts', () => [200, [{ ...alert, ...changes }]]);
  answer('GET /matches', () => [
    200,
    { matches: [], total: 1, counts: { new: 1, seen: 0, kept: 0, dismissed: 0 }, has_more: false },
  ]);
  const failed = {
    id: 'd1',
    status: 'undeliverable',
    error: 'no_mail: No mail server.',
    attempts: 0,
    event_type: 'alert.test',
    created_at: '2026-11-03T00:00:00.000Z',
    response_code: null,
    next_attempt_at: null,
  };
  answer('GET /alerts/al_1/deliveries', () => [200, { deliveries: [failed], has_more: false }]);
  const user = await show(<AlertsPage />, 'admin', '/alerts');
  await screen.findByText('Batteries');
  return user;
}

describe('an alert where the service cannot send email', () => {
  it('is in Mentions only when it has no address, and is no failure', async () => {
    await page();
    await screen.findByText('Only in Mentions');
    expect(screen.getByText('Active')).toBeTruthy();
    expect(screen.queryByText(/No mail server/)).toBe(null);
  });

  it('cannot be sent when it has one', async () => {
    await page({ channel_config: { to: ['ana@example.com'] } });
    await screen.findByText('Cannot be sent');
    expect(screen.queryByText('Only in Mentions')).toBe(null);
  });

  it('is created for Mentions only, without asking for an address', async () => {
    answer('POST /alerts/preview', () => new Promise(() => undefined));
    answer('POST /alerts', () => [201, { id: 'al_1' }]);
    const user = await show(
      <AlertBuilder alert={null} beginning={{ keywords: ['battery'] }} onClose={() => undefined} />,
    );
    expect(screen.getByLabelText<HTMLSelectElement>('Send to').selectedOptions[0]!.text).toBe(
      'Only in Mentions',
    );
    expect(screen.queryByLabelText('Email address')).toBe(null);
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() =>
      expect(sent.find(({ operation }) => operation === 'POST /alerts')?.body).toMatchObject({
        channel: 'email',
        channel_config: {},
      }),
    );
  });
});

describe('the list of alerts', () => {
  it('has a line for each alert with its query, places, channel, matches and state', async () => {
    await page({ channel: 'slack', forums: ['energy'], listen: ['hackernews'] });
    await screen.findByRole('link', { name: '1 mention, 1 new' });
    const [heads, cells] = screen
      .getAllByRole('row')
      .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent));
    expect(heads!.slice(0, 7)).toEqual([
      ...['Alert', 'Looks for', 'Listens to', 'Sends to', 'Found', 'Last sent', 'State'],
    ]);
    expect(cells!.slice(0, 6)).toEqual([
      ...['Batteries', 'solar OR wind, battery, power bank', 'energy, hackernews', 'Slack'],
      ...['1 mention, 1 new', 'never'],
    ]);
    expect(cells![6]).toMatch(/The last delivery failed.*No mail server/);
  });

  it('sends a test from the menu of a line, and shows what became of it', async () => {
    const user = await page({ channel: 'slack' });
    answer('POST /alerts/al_1/test', () => [200, {}]);
    screen.getByLabelText('Actions: Batteries').focus();
    await user.click(screen.getByText('Test'));
    const dialog = await screen.findByRole('dialog', { name: 'Deliveries of "Batteries"' });
    await within(dialog).findByText('No mail server.');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  });

  it('leads to the page of each alert', async () => {
    await page();
    expect((await screen.findByRole('link', { name: 'Batteries' })).getAttribute('href')).toBe(
      '/alerts/al_1',
    );
  });
});
