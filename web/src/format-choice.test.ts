import { describe, expect, it, vi } from 'vitest';
import {
  dayOf,
  formatRelative,
  formatTime,
  formatTimeOfDay,
  isMidnight,
  midnight,
  ownTimeZone,
  startOfDay,
} from './format.ts';

// Before the formats are loaded, which read the choice once.
vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'en-US' });
  const stored = JSON.stringify({ timeZone: 'America/New_York', hours: 'h23', order: 'en-GB' });
  vi.stubGlobal('localStorage', { getItem: (name: string) => (name === 'dates' ? stored : null) });
});

describe('dates with a zone, hours and an order that the reader has chosen', () => {
  const time = new Date('2026-11-15T02:30:00Z');

  it('have all three', () => {
    expect(formatTime(time)).toBe('14 Nov 2026, 21:30');
    expect(formatTimeOfDay(9, 0)).toBe('09:00');
    expect(ownTimeZone).toBe('America/New_York');
  });

  it('have the days of the zone, also where the clocks change', () => {
    expect(dayOf(time)).toBe('2026-11-14');
    expect(startOfDay('2026-11-14', 0)).toBe('2026-11-14T05:00:00.000Z');
    expect(startOfDay('2026-10-31', 1)).toBe('2026-11-01T04:00:00.000Z');
    expect(startOfDay('2026-11-01', 1)).toBe('2026-11-02T05:00:00.000Z');
    expect(midnight(time, -6).toISOString()).toBe('2026-11-08T05:00:00.000Z');
    expect([isMidnight(new Date('2026-11-08T05:00:00Z')), isMidnight(time)]).toEqual([true, false]);
  });

  it('are told from now by the days of the zone', () => {
    expect(formatRelative(time, Date.parse('2026-11-15T16:00:00Z'))).toBe('yesterday, 21:30');
  });
});
