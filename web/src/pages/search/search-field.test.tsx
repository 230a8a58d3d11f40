// @vitest-environment happy-dom
import { show } from '../../testing/page.tsx';
import { answer, sent } from '../../testing/service.ts';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { SearchField } from './search-field.tsx';
import type { SearchState } from './search-state.ts';

const onLeave = vi.fn();

function Page() {
  const [state, setState] = useState<SearchState>({});
  return <SearchField state={state} onChange={(some) => setState({ ...state, ...some })} onLeave={onLeave} />;
}

async function field() {
  answer('GET /search/explain', () => [200, { notices: [] }]);
  answer('GET /analytics/facets', () => [
    200,
    {
      facets: {
        forum: [
          { value: 'technology', count: 1_200 },
          { value: 'energy tech', count: 9 },
          { value: 'chess', count: 3 },
        ],
      },
      total: 1_212,
    },
  ]);
  const user = await show(<Page />);
  return {
    user,
    input: screen.getByRole<HTMLInputElement>('combobox', { name: 'Search posts and comments' }),
  };
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const requested = () => sent.filter(({ operation }) => operation === 'GET /analytics/facets');

describe('the field of the search', () => {
  it('suggests a field, then its values, by keyboard alone', async () => {
    const { user, input } = await field();
    await user.type(input, 'solar fo');
    expect(options()).toEqual([expect.stringMatching(/^forum:/)]);
    expect(input.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{ArrowDown}');
    const [option] = screen.getAllByRole('option');
    expect(input.getAttribute('aria-activedescendant')).toBe(option!.id);
    await user.keyboard('{Enter}');
    expect(input.value).toBe('solar forum:');
    await waitFor(() =>
      expect(options()).toEqual(['forum:technology1,200', 'forum:"energy tech"9', 'forum:chess3']),
    );
    await user.keyboard('tech');
    expect(options()).toEqual(['forum:technology1,200', 'forum:"energy tech"9']);
    await waitFor(() =>
      expect(requested().some(({ query }) => query.includes('q=forum%3Atech*'))).toBe(true),
    );
    await user.keyboard('{ArrowUp}{Enter}');
    expect(input.value).toBe('solar forum:"energy tech" ');
    expect(options()).toEqual([]);
    expect(document.activeElement).toBe(input);
  });

  it('takes a suggestion by a click, and keeps the focus', async () => {
    const { user, input } = await field();
    await user.type(input, 'forum:ch');
    await user.click(await screen.findByRole('option', { name: /chess/ }));
    expect(input.value).toBe('forum:chess ');
    expect(document.activeElement).toBe(input);
  });

  it('closes the suggestions by Escape, and is left by the next one', async () => {
    const { user, input } = await field();
    await user.type(input, 'au{Escape}');
    expect(options()).toEqual([]);
    expect(input.value).toBe('au');
    expect(document.activeElement).toBe(input);
    await user.keyboard('{Escape}');
    expect(document.activeElement).not.toBe(input);
  });

  it('leads to the results by the arrow while nothing is suggested, and asks for nothing', async () => {
    const { user, input } = await field();
    await user.type(input, 'battery');
    expect(input.getAttribute('aria-expanded')).toBe('false');
    await user.keyboard('{ArrowDown}');
    expect(onLeave).toHaveBeenCalledOnce();
    expect(requested()).toEqual([]);
  });
});
