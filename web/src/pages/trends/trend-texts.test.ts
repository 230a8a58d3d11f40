import { describe, expect, it } from 'vitest';
import { bucketText, valueText } from './trend-texts.ts';

describe('a bucket in words', () => {
  const WEEKS = [0, 1, 2].map((week) => new Date(2026, 7, 3 + 7 * week).getTime());

  it('has the name of its week, and says why it is not whole', () => {
    const trend = { borders: WEEKS, interval: 'week' as const, gaps: [null, 'unfinished' as const] };
    expect(bucketText(trend, 0)).toBe('week of Aug 3');
    expect(bucketText(trend, 1)).toBe('week of Aug 10, not over yet');
  });

  it('has a value with its interval, or with the one before', () => {
    const line = { name: 'a', search: {}, values: [0.5, null] };
    expect(valueText('share', { ...line, low: [0.4, null], high: [0.6, null] }, 0)).toBe('50% (40%–60%)');
    expect(valueText('share', { ...line, low: [0.4, null], high: [0.6, null] }, 1)).toBe('–');
    expect(valueText('count', { ...line, values: [1_200], before: [7] }, 0)).toBe('1,200 (before: 7)');
    expect(valueText('sentiment', line, 0)).toBe('+0.5');
  });
});
