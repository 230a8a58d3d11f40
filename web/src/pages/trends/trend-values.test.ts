import { describe, expect, it } from 'vitest';
import { csvOf, periodWithData, valuesAt } from './trend-values.ts';

const bucket = (start: string, count: number, mean_sentiment: number | null = null) => ({
  start,
  count,
  mean_sentiment,
});
const lines = [
  { name: 'a', buckets: [bucket('2026-01-01', 2, 0.5)] },
  { name: '=SUM(1), "b"', buckets: [bucket('2026-01-02', 3)] },
];

describe('the values of trends', () => {
  it('are 0 or unknown where a line has no time', () => {
    expect(valuesAt(lines[0]!, ['2026-01-01', '2026-01-02'], 'count')).toEqual([2, 0]);
    expect(valuesAt(lines[0]!, ['2026-01-01', '2026-01-02'], 'sentiment')).toEqual([0.5, null]);
  });

  it('are written as CSV that no spreadsheet executes', () => {
    expect(csvOf(lines, 'count', 'Start')).toBe(
      'Start,a,"\'=SUM(1), ""b"""\r\n2026-01-01,2,0\r\n2026-01-02,0,3\r\n',
    );
  });

  it('begin with a period that has data', () => {
    const now = Date.UTC(2026, 10, 27);
    const at = (start: string) => periodWithData([bucket(start, 1), bucket('2026-11-26', 0)], now);
    expect(at('2026-11-01')).toBe('30');
    expect(at('2026-10-01')).toBe('90');
    expect(at('2024-01-01')).toBe('all');
    expect(periodWithData([], now)).toBe('30');
  });
});
