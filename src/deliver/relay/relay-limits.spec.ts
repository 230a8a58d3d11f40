import { isServerUnavailable, LAST_SHRINK_LEVEL, relayLimits } from './relay-limits.js';

it('transactions of the relay shrink to a quarter at each level, down to one event', () => {
  const levels = Array.from({ length: LAST_SHRINK_LEVEL + 1 }, (_, level) => relayLimits(level));
  expect(levels.map(({ events }) => events)).toEqual([200, 50, 12, 3, 1]);
  expect(levels.map(({ deliveries }) => deliveries)).toEqual([1_000, 250, 62, 50, 50]);
});

it.each([
  ['a statement that ran into its time limit', '57014', false],
  ['a refused row', '23514', false],
  ['a server that cannot be reached', 'ECONNREFUSED', true],
  ['a server that shuts down', '57P01', true],
])('because of %s (%s), relaying fails for all events: %s', (_what, code, expected) => {
  expect(isServerUnavailable(Object.assign(new Error('failed'), { code }))).toBe(expected);
});
