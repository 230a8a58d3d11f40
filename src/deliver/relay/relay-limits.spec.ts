import { LAST_SHRINK_LEVEL, relayLimits } from './relay-limits.js';

it('transactions of the relay shrink to a quarter at each level, down to one event', () => {
  const levels = Array.from({ length: LAST_SHRINK_LEVEL + 1 }, (_, level) => relayLimits(level));
  expect(levels.map(({ events }) => events)).toEqual([200, 50, 12, 3, 1]);
  expect(levels.map(({ deliveries }) => deliveries)).toEqual([1_000, 250, 62, 50, 50]);
});
