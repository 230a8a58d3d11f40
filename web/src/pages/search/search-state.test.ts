import { describe, expect, it } from 'vitest';
import { filtersOf, isFiltered, readSearchState, sortsOf } from './search-state.ts';

describe('the state of the search page', () => {
  it('ignores unknown parameters', () => {
    expect(readSearchState({ utm_source: 'mail', q: 'battery' })).toEqual({ q: 'battery' });
  });

  it('drops the filters that the searched table does not have', () => {
    expect(readSearchState({ of: 'comments', flair: 'News', post_id: 't3_a' })).toEqual({
      of: 'comments',
      post_id: 't3_a',
    });
    expect(readSearchState({ post_id: 't3_a', flair: 'News' })).toEqual({ flair: 'News' });
  });

  it('drops values that are no days, numbers or flags', () => {
    expect(readSearchState({ from: '2026-13-41', min_score: 'ten', has_media: 'maybe' })).toEqual({});
  });

  it('offers relevance only with words', () => {
    expect(sortsOf({})).not.toContain('relevance');
    expect(readSearchState({ sort_by: 'relevance' })).toEqual({});
    expect(readSearchState({ sort_by: 'relevance', q: 'a' }).sort_by).toBe('relevance');
  });

  it('includes the last day of a range', () => {
    const { created_after, created_before } = filtersOf({ from: '2026-03-01', to: '2026-03-01' });
    expect(new Date(created_before!).getDate()).toBe(2);
    expect(Date.parse(created_before!) - Date.parse(created_after!)).toBe(86_400_000);
  });

  it('does not count the order as a filter', () => {
    expect(isFiltered({ sort_by: 'score', sort_order: 'asc' })).toBe(false);
    expect(isFiltered({ q: 'battery' })).toBe(true);
  });
});
