// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer } from '../../testing/service.ts';
import { screen } from '@testing-library/react';
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

async function page(
  exports: object[],
  datasets: object[],
  scope: 'read' | 'write' = 'write',
  address = '/exports',
) {
  answer('GET /exports', () => [200, { exports, total: exports.length, has_more: false }]);
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

  it('offers neither to those who only read', async () => {
    await page([oneExport], [], 'read');
    await screen.findByText('For the study');
    expect(screen.queryByRole('button', { name: /Create|Freeze|Delete/ })).toBeNull();
  });
});
