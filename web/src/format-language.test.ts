import { expect, it, vi } from 'vitest';
import { formatNumber, formatRelative, formatTime } from './format.ts';

// Before the formats are loaded, which read the choice once.
vi.hoisted(() => {
  vi.stubGlobal('navigator', { language: 'de-DE' });
  const stored = JSON.stringify({ timeZone: 'UTC', language: 'own', order: 'en-US' });
  vi.stubGlobal('localStorage', { getItem: (name: string) => (name === 'dates' ? stored : null) });
});

it('dates have the words and the order of the language that the reader has chosen', () => {
  const time = new Date('2026-03-15T21:30:00Z');
  expect(formatTime(time)).toBe('15.03.2026, 21:30');
  expect(formatRelative(time, Date.parse('2026-03-18T08:00:00Z'))).toBe('vor 3 Tagen');
  expect(formatRelative(time, Date.parse('2026-03-16T16:00:00Z'))).toBe('gestern, 21:30');
  expect(formatNumber(5150)).toBe('5.150');
});
