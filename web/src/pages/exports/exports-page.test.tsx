// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ExportsPage } from './exports-page.tsx';

const filters = { min_score: 5 };
const parts = [{ path: '/x/parts/1', rows: 2, bytes: 10, sha256: 'ab12' }];
const written = { status: 'completed', of: 'posts', filters, rows: 2, bytes: 10, parts, error_message: null };
const oneExport = {
  ...written,
  id: 'export_1',
  name: 'For the study',
  format: 'csv',
  compression: 'gzip',
  columns: ['id', 'title'],
  incremental_from: null,
  recurring_id: null,
  destination: null,
  expires_at: null,
  created_at: '2026-11-02T00:00:00.000Z',
};
const dataset = {
  ...written,
  id: 'dataset_1',
  name: 'Batteries',
  q: null,
  manifest: null,
  erased_rows: 0,
  created_at: '2026-11-03T00:00:00.000Z',
};

const recurring = {
  ...{ id: 'recurring_1', name: 'For the warehouse', of: 'posts', format: 'csv', compression: null },
  ...{ filters, columns: null, only_changes: true, destination: { url: 's3://store.example/files' } },
  ...{ every: 'week', weekday: 'friday', at: '06:00', timezone: 'UTC' },
  is_active: true,
  next_run_at: '2099-11-06T06:00:00.000Z',
  last_run: {
    ...{ export_id: 'export_1', status: 'failed', completed_at: '2026-11-03T06:01:00.000Z' },
    error_message: 'The receiver answered 403.',
  },
};

async function page(
  exports: object[],
  datasets: object[],
  scope: 'read' | 'write' = 'write',
  address = '/exports',
  repeated: object[] = [],
) {
  answer('GET /exports', () => [200, { exports, total: exports.length, has_more: false }]);
  answer('GET /recurring-exports', () => [200, repeated]);
  answer('GET /datasets', () => [200, { datasets, total: datasets.length, has_more: false }]);
  return show(<ExportsPage />, scope, address);
}

describe('the page of exports', () => {
  it('lists exports and datasets together, the newest first', async () => {
    await page([oneExport, { ...oneExport, id: 'export_2', name: null, columns: null }], [dataset]);
    await screen.findByText('Batteries');
    const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(titles).toEqual(['Batteries', 'For the study', 'Posts · CSV (spreadsheet) · gzip']);
    expect(screen.getByText('only id, title')).toBeTruthy();
    expect(screen.getAllByTitle('ab12')).toHaveLength(3);
  });

  it.each([
    ['an export', 'yes', 'What to export'],
    ['a dataset', 'dataset', 'What to freeze'],
  ])('opens the form of %s by its address', async (_kind, create, label) => {
    await page([], [], 'write', `/exports?create=${create}`);
    expect(await screen.findByLabelText(label)).toBeTruthy();
  });

  it('shows when a recurring export runs next and how the last run ended, and pauses it', async () => {
    answer('PATCH /recurring-exports/recurring_1', () => [200, {}]);
    const user = await page([oneExport], [], 'write', '/exports', [recurring]);
    await screen.findByText(/^Every Friday at 6:00.AM \(UTC\)$/);
    const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(titles).toEqual(['For the warehouse', 'For the study']);
    expect(screen.getByText('copied to s3://store.example/files')).toBeTruthy();
    expect(screen.getByText('The receiver answered 403.')).toBeTruthy();
    expect(screen.getByText(/^next/).querySelector('time')?.dateTime).toBe(recurring.next_run_at);
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await waitFor(() =>
      expect(sent.find(({ operation }) => operation.startsWith('PATCH'))?.body).toEqual({ is_active: false }),
    );
  });

  it('changes the name and the times of a recurring export', async () => {
    answer('PATCH /recurring-exports/recurring_1', () => [200, {}]);
    const user = await page([], [], 'write', '/exports', [recurring]);
    await user.click(await screen.findByRole('button', { name: 'Edit For the warehouse' }));
    const name = screen.getByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Each morning');
    await user.selectOptions(screen.getByLabelText('Repeat'), 'Every day');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent.find(({ operation }) => operation.startsWith('PATCH'))?.body).toEqual({
        ...{ name: 'Each morning', every: 'day', at: recurring.at },
        ...{ weekday: recurring.weekday, timezone: recurring.timezone },
      }),
    );
  });

  it('offers neither to those who only read', async () => {
    await page([oneExport], [], 'read');
    await screen.findByText('For the study');
    expect(screen.queryByRole('button', { name: /Create|Freeze|Delete/ })).toBeNull();
  });
});
