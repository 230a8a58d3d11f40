import { describe, expect, it } from 'vitest';
import { isSameSearch, recordOf, searchOf } from './search-record.ts';
import type { SearchState } from './search-state.ts';

describe('a stored search', () => {
  it('comes back as it was', () => {
    const state: SearchState = {
      q: 'battery OR fuel',
      forum: 'technology',
      min_score: '10',
      has_media: 'false',
      from: '2026-03-01',
      to: '2026-03-02',
      sort_by: 'score',
      sort_order: 'asc',
    };
    expect(searchOf(recordOf(state))).toEqual(state);
    expect(searchOf(recordOf({ of: 'comments', post_id: 't3_a' }))).toEqual({
      of: 'comments',
      post_id: 't3_a',
    });
  });

  it('keeps a time that is no beginning of a day', () => {
    const filters = { created_after: '2026-03-01T11:12:13.000Z' };
    expect(searchOf({ of: 'posts', q: 'a OR b', filters })).toEqual({
      q: '(a OR b) after:2026-03-01T11:12:13.000Z',
    });
  });

  it('is the same in any order of its filters', () => {
    expect(isSameSearch({ forum: 'a', min_score: '1' }, { min_score: '1', forum: 'a' })).toBe(true);
    expect(isSameSearch({ forum: 'a' }, { forum: 'b' })).toBe(false);
  });
});
