// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
// Loaded before, in place of on demand.
import './save-dialogs.tsx';
import { SaveSearch } from './save-search.tsx';
import { useSavedSearch } from './saved-searches.ts';
import { changesTo } from './search-record.ts';
import type { SearchState } from './search-state.ts';

const search = {
  id: 'search_1',
  name: 'Batteries',
  of: 'posts',
  q: 'battery',
  filters: {},
  sort_by: null,
  sort_order: 'desc',
  listen: [],
};
const onAlert = vi.fn();

function Bar({ state }: { state: SearchState }) {
  return <SaveSearch state={state} {...useSavedSearch('ws1', state)} onAlert={onAlert} />;
}

/** The bar while the saved search is open, and the names of the choices of its menu. */
async function open(state: SearchState = { q: 'battery' }, scope: 'admin' | 'read' = 'admin') {
  answer('GET /searches', () => [200, [search]]);
  answer('PATCH /searches/search_1', (body) => [200, { ...search, ...(body as object) }]);
  answer('GET /sources', () => [200, { sources: [] }]);
  const user = await show(<Bar state={state} />, scope);
  return { user, choose: async (name: string) => user.click(await screen.findByText(name)) };
}
const changes = () => sent.find(({ operation }) => operation === 'PATCH /searches/search_1')?.body;

describe('the menu of a saved search', () => {
  it('renames it, and lets the service listen for it', async () => {
    const { user, choose } = await open();
    await choose('Name and sources');
    const name = await screen.findByLabelText<HTMLInputElement>('Name');
    expect(name.value).toBe('Batteries');
    await user.type(name, ' and cells');
    await user.selectOptions(screen.getByLabelText('Where to listen'), 'anywhere');
    await user.clear(screen.getByLabelText('Sources'));
    await user.type(screen.getByLabelText('Sources'), 'hackernews, bluesky');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(changes()).toEqual({ name: 'Batteries and cells', listen: ['hackernews', 'bluesky'] }),
    );
  });

  it('makes an alert of it, and leads to its feed, an export and its deletion', async () => {
    const { choose } = await open();
    await choose('Create an alert');
    expect(onAlert).toHaveBeenCalledWith(expect.objectContaining({ q: 'battery' }));
    expect(screen.getByText('Export all rows').getAttribute('href')).toBe('/exports?q=battery&create=yes');
    for (const name of ['Feed', 'Delete the saved search']) expect(screen.getByText(name)).toBeTruthy();
    expect(screen.queryByText('Update to this search')).toBe(null);
    expect(screen.queryByText('Save the search')).toBe(null);
  });

  it('is not there for another search', async () => {
    await open({ q: 'solar' });
    await screen.findByText('Save the search');
    expect(screen.queryByText('Saved search')).toBe(null);
  });
});

describe('the update of a saved search', () => {
  it('leaves nothing of the former search', () => {
    expect(changesTo({ sort_by: 'score' }, {})).toEqual({
      q: '',
      filters: {},
      sort_by: 'created_utc',
      sort_order: 'desc',
    });
  });

  it('keeps the order that the page shows', () => {
    const state: SearchState = { q: 'solar', of: 'comments', sort_by: 'score', sort_order: 'asc' };
    expect(changesTo({ sort_by: null }, state)).toEqual({
      q: 'solar',
      filters: {},
      sort_by: 'score',
      sort_order: 'asc',
    });
    expect(changesTo({ sort_by: null }, { q: 'solar' })).not.toHaveProperty('sort_by');
  });
});
