import { describe, expect, it } from 'vitest';
import { stacked, trendOf, wholeOf } from './trend.ts';
import type { Line } from './trend-lines.ts';
import { topOf } from './trend-plot.ts';

const day = (number: number): number => new Date(2026, 9, 1 + number).getTime();
const line = (name: string, ...counts: number[]): Line => ({
  name,
  search: {},
  buckets: counts.map((count, at) => ({
    start: new Date(day(at)).toISOString(),
    count,
    mean_sentiment: count === 0 ? null : 0.5,
  })),
});
const settings = { interval: 'day' as const, counted: {}, now: day(9) };

describe('the trend of lines', () => {
  it('has 0 where nothing is counted, and no sentiment there', () => {
    const lines = [line('a', 2, 0), line('b', 1, 1, 1)];
    const values = (measure: 'count' | 'sentiment') =>
      trendOf(lines, { ...settings, measure }).lines.map((one) => one.values);
    expect(values('count')).toEqual([
      [2, 0, 0],
      [1, 1, 1],
    ]);
    expect(values('sentiment')[0]).toEqual([0.5, null, null]);
  });

  it('has shares of all lines together, also of those that are not drawn', () => {
    const lines = Array.from({ length: 10 }, (_, index) => line(String(index), 10, 0));
    const trend = trendOf(lines, { ...settings, measure: 'share' });
    expect(trend.lines).toHaveLength(5);
    const [{ values, low, high } = { values: [] }] = trend.lines;
    expect(values).toEqual([0.1, null]);
    expect([low?.[0], high?.[0]].map((end) => Math.round(100 * end!))).toEqual([6, 16]);
    expect(low?.[1]).toBeNull();
  });

  it('says which buckets are not whole, and leaves them out of its lines', () => {
    const { gaps, lines } = trendOf([line('a', 5, 6, 1)], { ...settings, now: day(2) + 1, measure: 'count' });
    expect(gaps).toEqual([null, null, 'unfinished']);
    expect(wholeOf(lines[0]!.values, gaps)).toEqual([5, 6, null]);
    expect(wholeOf([1], ['unfinished'])).toEqual([1]);
  });

  it('stacks areas on top of each other', () => {
    expect(stacked([{ values: [1, null, null] }, { values: [2, 3, null] }])).toEqual([
      [1, 0, null],
      [3, 3, null],
    ]);
  });

  it('has room above its highest value and the ends of its intervals', () => {
    const top = (measure: 'count' | 'share' | 'sentiment', ...lines: Line[]): number => {
      const trend = trendOf(lines, { ...settings, measure });
      return topOf(
        trend,
        trend.lines.map(({ values }) => values),
      );
    };
    expect(top('count', line('a', 100))).toBe(105);
    expect(top('count', line('a', 0))).toBe(1);
    expect(top('sentiment', line('a', 3))).toBe(1);
    expect(top('share', line('a', 1), line('b', 1))).toBeGreaterThan(0.5);
    expect(top('share', line('a', 0), line('b', 0))).toBe(1);
    const before = line('b', 1_000).buckets;
    expect(top('count', { ...line('a', 100), before })).toBe(1_050);
    expect(top('count', { ...line('a', 100), before }, line('c', 1))).toBe(105);
  });
});
