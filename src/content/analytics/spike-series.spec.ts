import { findSpikes, readPeriod, significantKeywords } from './spike-series.js';

const DAY_MS = 86_400_000;
const day = (number: number): Date => new Date(number * DAY_MS);

describe('the period from which spikes are read', () => {
  const request = { interval: 'day', after: null, before: null, oldest: day(0), newest: day(100) } as const;

  it('is everything stored when it fits', () => {
    expect(readPeriod(request)).toEqual({ from: day(0), to: new Date(100 * DAY_MS + 1) });
  });

  it('begins eight weeks of days before the requested one, if there are rows', () => {
    expect(readPeriod({ ...request, after: day(80), before: day(90) })).toEqual({
      from: day(24),
      to: day(90),
    });
    expect(readPeriod({ ...request, after: day(30) }).from).toEqual(day(0));
  });

  it('has less before a long period, and never cuts the period itself', () => {
    const newest = day(10_000);
    const from = (after: number): number =>
      readPeriod({ ...request, newest, after: day(after) }).from.getTime() / DAY_MS;
    expect(from(8_010)).toBeGreaterThan(8_000);
    expect(from(8_010)).toBeLessThanOrEqual(8_010);
    expect(from(1_000)).toBe(1_000);
  });
});

describe('findSpikes', () => {
  it('ends a spike when values are usual again', () => {
    const values = Array.from({ length: 200 }, (_, at) => (at >= 150 && at < 153 ? 200 : 10));
    const found = findSpikes(
      values.map((value, at) => ({ start: new Date(at * 3_600_000), value })),
      { bucketsPerDay: 24, measure: 'count', direction: 'up' },
      3_600_000,
    );
    expect(found).toHaveLength(1);
    expect(found[0]!.start.getTime() / 3_600_000).toBe(150);
    expect(found[0]!.end.getTime() / 3_600_000).toBeGreaterThanOrEqual(153);
    expect(found[0]!.end.getTime() / 3_600_000).toBeLessThanOrEqual(154);
  });
});

describe('significantKeywords', () => {
  it('prefers what is new over what is frequent, and leaves out what became rarer', () => {
    const rows = [
      { keyword: 'usual', count: 50, previousCount: 50 },
      { keyword: 'new', count: 20, previousCount: 0 },
      { keyword: 'rarer', count: 10, previousCount: 60 },
    ];
    expect(significantKeywords(rows, 100, 100, 5).map(({ keyword }) => keyword)).toEqual(['new', 'usual']);
    expect(significantKeywords(rows, 100, 0, 1)).toHaveLength(1);
  });
});
