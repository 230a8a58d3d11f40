import { describe, expect, it, vi } from 'vitest';
import { bucketOf, formatBucket, formatNumber, formatTick, formatTime, formatTimeOfDay } from './format.ts';

// Before the formats are loaded, which ask for it once.
vi.hoisted(() => vi.stubGlobal('navigator', { language: 'de-DE' }));

describe('dates and numbers of a reader in Germany', () => {
  const time = new Date(2026, 10, 15, 21, 30);

  it('have the conventions of the country and English words', () => {
    expect(formatTime(time)).toBe('15 Nov 2026, 21:30');
    expect(formatTimeOfDay(9, 0)).toBe('09:00');
    expect(formatNumber(5150)).toBe('5.150');
  });

  it('name the hour, day, week or month of a bucket, and no time of day of a whole one', () => {
    const start = new Date(2026, 10, 15);
    expect(formatBucket(start, 'day')).toBe('Sun, 15 Nov');
    expect(formatBucket(start, 'month')).toBe('Nov 2026');
    expect(formatBucket(time, 'hour')).toBe('Sun, 15 Nov, 21:30');
    expect(formatTick(start, 'hour')).toBe('15 Nov');
    expect(formatTick(time, 'hour')).toBe('21:30');
  });

  it('are read from the distance of two times, also when the clocks change', () => {
    const after = (hours: number) =>
      bucketOf('2026-10-24T22:00:00Z', new Date(Date.UTC(2026, 9, 24, 22 + hours)).toJSON());
    expect([after(1), after(25), after(169), after(24 * 28)]).toEqual(['hour', 'day', 'week', 'month']);
  });
});

it('no other file formats dates or numbers', () => {
  const sources = import.meta.glob<string>('./**/*.{ts,tsx}', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const formatting = Object.entries(sources)
    .filter(([path]) => !/\.test\.tsx?$/.test(path))
    .filter(([, text]) =>
      /Intl\.(DateTime|Number|RelativeTime)Format\(|\.toLocale(Date|Time)?String\(/.test(text),
    )
    .map(([path]) => path);
  // The clocks of another zone are read for computing.
  expect(formatting).toEqual(['./format.ts', './pages/schedules/cron.ts']);
});
