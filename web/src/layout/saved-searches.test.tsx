// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from '../testing/page.tsx';
import { answer } from '../testing/service.ts';
import { SavedSearches } from './saved-searches.tsx';

const SEARCHES = [
  { id: 'search_1', name: 'Batteries', of: 'posts', q: 'battery', filters: {} },
  { id: 'search_2', name: 'Bad batteries', of: 'posts', q: 'battery', filters: { sentiment: 'negative' } },
];

describe('the saved searches of the navigation', () => {
  it.each([
    ['/search?q=battery', ['Batteries']],
    ['/search?q=battery&sentiment=negative', ['Bad batteries']],
    ['/search?q=battery&sentiment=positive', []],
    ['/search?q=battery&of=comments', []],
  ])('mark at %s the one that is open', async (address, marked) => {
    answer('GET /searches', () => [200, SEARCHES]);
    await show(<SavedSearches />, 'read', address);
    const links = await screen.findAllByRole('link');
    const current = links.filter((link) => link.hasAttribute('aria-current'));
    expect(current.map(({ textContent }) => textContent)).toEqual(marked);
  });
});
