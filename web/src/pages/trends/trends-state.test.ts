import { describe, expect, it } from 'vitest';
import { askedOf, periodOf, queriesOf, readTrendsState, splitsOf, stateOf } from './trends-state.ts';

describe('the state of the trends page', () => {
  it('keeps five different queries without empty ones', () => {
    expect(queriesOf(stateOf([' a ', '', 'b', 'a', 'c', 'd', 'e', 'f']))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('splits only a single query, and comments not by post type', () => {
    expect(splitsOf({ q1: 'a', q2: 'b' })).toEqual([]);
    expect(splitsOf({ of: 'comments' })).toEqual(['source', 'forum', 'sentiment', 'language']);
  });

  it('measures shares of several lines only, and no sentiment of the values of a split', () => {
    const measured = (state: Record<string, unknown>) => readTrendsState(state).measure;
    expect(measured({ measure: 'share' })).toBeUndefined();
    expect(measured({ measure: 'share', q1: 'a', q2: 'b' })).toBe('share');
    expect(measured({ measure: 'share', split: 'source' })).toBe('share');
    expect(measured({ measure: 'sentiment', split: 'source' })).toBeUndefined();
    expect(measured({ measure: 'sentiment', split: 'of' })).toBe('sentiment');
  });

  it('asks for each query, or for the posts and the comments of one', () => {
    expect(askedOf({})).toEqual([{ q: '', of: 'posts' }]);
    expect(askedOf({ q1: 'a', q2: 'b', of: 'comments' })).toEqual([
      { q: 'a', of: 'comments' },
      { q: 'b', of: 'comments' },
    ]);
    expect(askedOf({ q1: 'a', split: 'of' }).map(({ of }) => of)).toEqual(['posts', 'comments']);
  });

  it('ends a period with the current hour', () => {
    const { filters, interval } = periodOf('7', Date.UTC(2026, 2, 8, 10, 20));
    expect(interval).toBe('hour');
    expect(filters).toEqual({
      created_after: '2026-03-01T11:00:00.000Z',
      created_before: '2026-03-08T11:00:00.000Z',
    });
  });
});
