import { firstChange, firstInstantOf, isTimeZone, offsetAt } from './time-zone.js';

const HOUR_MS = 3_600_000;
const at = (time: string): number => Date.parse(time);

describe('time zones', () => {
  it.each([
    ['UTC', true],
    ['Europe/Berlin', true],
    ['europe/berlin', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Etc/GMT+5', true],
    ['EST', true],
    ['PRC', true],
    ['BST', false],
    ['ist', false],
    ['US/Pacific-New', false],
    ['SystemV/AST4', false],
    ['+01:00', false],
    ['-05', false],
    ['Nowhere/City', false],
    ['Europe/Berlin ', false],
    ['', false],
  ])('%j is a valid name: %s', (name, expected) => expect(isTimeZone(name)).toBe(expected));

  it('have an offset from UTC at an instant, also between seconds and before 1970', () => {
    expect(offsetAt('Europe/Berlin', at('2026-03-29T00:59:59.999Z'))).toBe(HOUR_MS);
    expect(offsetAt('Europe/Berlin', at('2026-03-29T01:00:00.000Z'))).toBe(2 * HOUR_MS);
    expect(offsetAt('Europe/Berlin', -1)).toBe(HOUR_MS);
    expect(offsetAt('America/New_York', at('1969-07-20T20:17:40.500Z'))).toBe(-4 * HOUR_MS);
  });

  it('change their offset at an exact millisecond', () => {
    const change = at('2026-03-29T01:00:00Z');
    expect(firstChange('Europe/Berlin', at('2026-03-01T00:00:00Z'), at('2026-04-01T00:00:00Z'))).toBe(change);
    expect(firstChange('Europe/Berlin', change - 1, change)).toBe(change);
    expect(firstChange('Europe/Berlin', change - 10, change - 1)).toBeNull();
    expect(firstChange('Europe/Berlin', change, at('2026-06-01T00:00:00Z'))).toBeNull();
    expect(firstChange('UTC', 0, change)).toBeNull();
  });

  it.each([
    ['a doubled time the first of two', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z'],
    ['a skipped time the end of the gap', '2026-03-29T02:30:00Z', '2026-03-29T01:00:00Z'],
    ['the first time after a gap its own', '2026-03-29T03:00:00Z', '2026-03-29T01:00:00Z'],
    ['any other time its own', '2026-07-01T12:00:00Z', '2026-07-01T10:00:00Z'],
  ])('have as the first instant of %s', (_, wall, instant) => {
    expect(firstInstantOf('Europe/Berlin', at(wall))).toBe(at(instant));
  });
});
