import { describe, expect, it } from 'vitest';
import { formatRelative } from './format.ts';

/** A Wednesday in the time zone of the process. */
const NOW = new Date(2026, 10, 18, 14, 0);
const at = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
const said = (hours: number): string => formatRelative(at(hours), NOW.getTime());
const plain = (text: string): string => text.replace(/\s/g, ' ');

describe('relative times of the dashboard', () => {
  it('counts in the largest unit that is at least 1 after rounding', () => {
    expect(said(-59.6 / 3_600)).toBe('1 minute ago');
    expect(said(-59.7 / 60)).toBe('1 hour ago');
    expect(said(59.7 / 60)).toBe('in 1 hour');
    expect(said(-40 / 60)).toBe('40 minutes ago');
    expect(said(5)).toBe('in 5 hours');
  });

  it('gives the time of day for the days around today', () => {
    expect(plain(said(20))).toBe('tomorrow, 10:00 AM');
    expect(plain(said(-20))).toBe('yesterday, 6:00 PM');
    expect(plain(said(-13))).toBe('today, 1:00 AM');
  });

  it('counts calendar days, not periods of 24 hours', () => {
    const late = new Date(2026, 10, 18, 23, 0);
    const after = new Date(2026, 10, 20, 0, 30);
    expect(formatRelative(after, late.getTime())).toBe('in 2 days');
    expect(said(24 * -6)).toBe('6 days ago');
  });

  it('gives the date from a week on', () => {
    expect(plain(said(24 * -7))).toBe('Nov 11, 2:00 PM');
  });

  it('names the year of another year', () => {
    expect(plain(said(24 * -365))).toBe('Nov 18, 2025, 2:00 PM');
  });
});
