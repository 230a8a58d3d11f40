import { describe, expect, it } from 'vitest';
import { csvOf, periodWithData } from './trend-values.ts';

const bucket = (start: string, count: number) => ({ start, count, mean_sentiment: null });

describe('the values of trends', () => {
  it('are written as CSV that no spreadsheet executes', () => {
    const line = (name: string, ...values: (number | null)[]) => ({ name, search: {}, values });
    const borders = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => Date.parse(day));
    expect(csvOf({ borders, lines: [line('a', 2, null), line('=SUM(1), "b"', 0, 3)] }, 'Start')).toBe(
      'Start,a,"\'=SUM(1), ""b"""\r\n2026-01-01T00:00:00.000Z,2,0\r\n2026-01-02T00:00:00.000Z,,3\r\n',
    );
  });

  it.each(['=1', ' =1', '\u200b+1', '\t1', '\r1', '＝1', '-1', '@a'])('escape %j', (name) => {
    const lines = [{ name, search: {}, values: [1] }];
    const [head] = csvOf({ borders: [0, 1], lines }, 'Start').split('\r\n1970');
    expect(head).toContain(`'${name}`);
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
