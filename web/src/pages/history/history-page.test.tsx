// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LastChange } from '../../components/last-change.tsx';
import { HistoryPage } from './history-page.tsx';

const entry = (more: object) => ({
  id: JSON.stringify(more),
  created_at: '2026-11-03T00:00:00.000Z',
  actor: 'api_key',
  actor_name: 'rp_12345678',
  ip: '192.0.2.1',
  action: 'updateAlert',
  workspace_id: 'ws1',
  resource: { alert_id: 'alert_1' },
  fields: ['query', 'delivery', 'channel_config'],
  status: 200,
  key_name: 'Nightly',
  record_name: 'Batteries',
  changes: [
    { field: 'query', before: 'solar', after: null },
    { field: 'delivery.timezone', before: null, after: 'Europe/Berlin' },
    { field: 'is_active', before: 'true', after: 'false' },
  ],
  ...more,
});
const answerEntries = (...entries: object[]) =>
  answer('GET /audit', () => [200, { entries, cursor: '', has_more: false }]);

describe('the history of a workspace', () => {
  it('says who changed what, with names and values before and after', async () => {
    answerEntries(
      entry({}),
      entry({
        action: 'deleteAlert',
        record_name: 'Old',
        fields: [],
        changes: [],
        actor_name: 'ana@b.org',
        key_name: null,
      }),
    );
    await show(<HistoryPage />, 'admin', '/history');
    const name = await screen.findByRole('link', { name: 'Batteries' });
    expect(name.getAttribute('href')).toBe('/alerts/alert_1');
    for (const text of [
      'search: “solar” → nothing',
      'time zone: nothing → “Europe/Berlin”',
      'state: on → off',
      'Sent: destination',
      'API key Nightly',
      'account ana@b.org',
    ])
      screen.getByText(text);
    expect(screen.getByText('Old').tagName).toBe('SPAN');
    expect(screen.queryByText('alert_1')).toBe(null);
  });

  it('searches in a period that the address keeps', async () => {
    answerEntries();
    const user = await show(<HistoryPage />, 'admin', '/history?from=2026-11-02&q=ana');
    await screen.findByText('No change matches these filters.');
    await user.type(screen.getByLabelText('Search'), ' b{Enter}');
    await user.selectOptions(screen.getByLabelText('Action'), 'Created an alert');
    const asked = () => new URLSearchParams(sent.at(-1)?.query);
    await waitFor(() =>
      expect(Object.fromEntries(asked())).toEqual({
        limit: '50',
        q: 'ana b',
        action: 'createAlert',
        from: new Date(2026, 10, 2).toISOString(),
      }),
    );
  });

  it('is not requested for those who may not read it', async () => {
    await show(
      <>
        <HistoryPage />
        <LastChange of="alerts" id="alert_1" />
      </>,
      'write',
    );
    await screen.findByText(/"admin" scope/);
    expect(sent).toEqual([]);
  });

  it('is where the last change of a record leads', async () => {
    answerEntries(entry({ key_name: null, actor_name: null, actor: 'admin' }));
    await show(<LastChange of="alerts" id="alert_1" />);
    const link = await screen.findByRole('link', { name: /^changed by an operator/ });
    expect(link.getAttribute('href')).toBe('/history?q=alert_1');
  });
});
