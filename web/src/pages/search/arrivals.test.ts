import { expect, it } from 'vitest';
import { addArrivals, type Arrival, countNew, MOST_ARRIVALS } from './arrivals.ts';

const arrivals = (...ids: string[]): Arrival[] => ids.map((id, index) => ({ id, at: 10 + index }));

it('counts what arrived after the list was requested and is not in it', () => {
  const arrived = arrivals('a', 'b', 'c', 'd');
  expect(countNew(arrived, { requestedAt: 0, ids: [] })).toBe(4);
  expect(countNew(arrived, { requestedAt: 11, ids: ['c', 'x'] })).toBe(2);
  expect(countNew(arrived, { requestedAt: 14, ids: [] })).toBe(0);
});

it('counts a result once', () => {
  expect(countNew(addArrivals(arrivals('a', 'b'), arrivals('b')), { requestedAt: 0, ids: [] })).toBe(2);
});

it('keeps a limited number of arrivals, the latest', () => {
  const many = arrivals(...Array.from({ length: MOST_ARRIVALS + 2 }, (_, number) => String(number)));
  const kept = addArrivals([], many);
  expect(kept.length).toBe(MOST_ARRIVALS);
  expect(kept[0]!.id).toBe('2');
});
