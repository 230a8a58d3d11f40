import { describe, expect, it } from 'vitest';
import { periodOf, queriesOf, readTrendsState, splitsOf, stateOf } from './trends-state.ts';

describe('the state of the trends page', () => {
  it('keeps five different queries without empty ones', () => {
    expect(queriesOf(stateOf([' a ', '', 'b', 'a', 'c', 'd', 'e', 'f']))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('splits only a single query, and comments not by post type', () => {
    expect(splitsOf({ q1: 'a', q2: 'b' })).toEqual([]);
    expect(splitsOf({ of: 'comments' })).toEqual(['forum', 'sentiment']);
  });

  it('ignores a measure beside a split', () => {
    expect(readTrendsState({ split: 'forum', measure: 'sentiment' })).toEqual({ split: 'forum' });
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
