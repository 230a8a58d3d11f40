// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { isPinOf, type Pin, removalOf, requestOf, stateOfPin, titleOf } from './pinned-trends.ts';

const PIN = { queries: ['a', 'b'], of: 'posts', period: '7', interval: 'day', measure: 'share' } as const;

it('reads a pin as the state that it was made from', () => {
  const pin = { ...PIN, queries: [...PIN.queries] };
  const state = stateOfPin(pin);
  expect(state).toEqual({ q1: 'a', q2: 'b', period: '7', interval: 'day', measure: 'share' });
  expect(requestOf(state)).toEqual(pin);
  expect([titleOf(state), titleOf({})]).toEqual(['a · b', 'Everything']);
});

it('finds the pin of a trend by all that its chart depends on', () => {
  const pin = { ...PIN, queries: ['a'], measure: 'count', split_by: 'source' } as const;
  const same = { ...pin, queries: ['a'] };
  const state = { split: 'source', q1: 'a', interval: 'day', period: '7' } as const;
  expect(isPinOf(same, state)).toBe(true);
  for (const other of [{ period: '30' }, { interval: 'hour' }, { q1: 'b' }, { of: 'comments' }] as const)
    expect(isPinOf(same, { ...state, ...other })).toBe(false);
  expect(isPinOf({ ...same, queries: [] }, state)).toBe(false);
});

it('says that the link of a pin ends with it', () => {
  const pin = { ...PIN, queries: ['a'], link_expires_at: null } as unknown as Pin;
  expect(removalOf(pin)).toBe('Removed from Home: a');
  expect(removalOf({ ...pin, link_expires_at: '2027-01-01T00:00:00Z' })).toContain('read-only link ends: a');
});
