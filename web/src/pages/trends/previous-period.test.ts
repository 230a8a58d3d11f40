import { expect, it } from 'vitest';
import { periodBefore, shiftedTo } from './previous-period.ts';

const bucket = (start: string, count: number, mean_sentiment: number | null = null) => ({
  start,
  count,
  mean_sentiment,
});

it('precedes a period by its length, and all time by nothing', () => {
  const period = { created_after: '2026-03-08T00:00:00Z', created_before: '2026-03-15T00:00:00Z' };
  expect(periodBefore(period)).toEqual({
    created_after: '2026-03-01T00:00:00.000Z',
    created_before: '2026-03-08T00:00:00Z',
  });
  expect(periodBefore({})).toBeNull();
});

it('puts earlier buckets at the times that follow them by the length of the period', () => {
  const times = ['2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z'];
  const earlier = [bucket('2026-03-01T00:00:00Z', 2), bucket('2026-03-02T00:00:00Z', 3)];
  expect(shiftedTo(times, earlier, 7 * 86_400_000)).toEqual([bucket(times[0]!, 2), bucket(times[1]!, 3)]);
});

it('joins buckets that begin in the same one, with the sentiment of both', () => {
  const times = ['2026-03-08T00:00:00Z'];
  const earlier = [bucket('2026-02-28T23:00:00Z', 1, 1), bucket('2026-03-01T06:00:00Z', 3, 0)];
  expect(shiftedTo(times, earlier, 7 * 86_400_000)).toEqual([bucket(times[0]!, 4, 0.25)]);
});
