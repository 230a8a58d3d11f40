import fc from 'fast-check';
import { MAX_STATED_DELAY_MS, statedDelay } from './stated-delay.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;

describe('the delay that a response states', () => {
  it.each<[string | number | null | undefined, number | null]>([
    [undefined, null],
    [null, null],
    ['', null],
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    [7, 7_000],
    ['0.65', 650],
    ['0.0001', 1],
    ['86400', DAY_MS],
    ['86401', DAY_MS],
    ['999999999', DAY_MS],
  ])('of %j is %s ms', (stated, expected) => expect(statedDelay(stated, NOW)).toBe(expected));

  it.each<[string, string | number, number]>([
    ['in seconds', '1772366430', 30_000],
    ['in seconds, as a number', 1_772_366_430, 30_000],
    ['in seconds with a fraction', '1772366400.5', 500],
    ['in milliseconds', '1772366401500', 1_500],
    ['in microseconds', '1772366401500000', 1_500],
    ['in seconds that is over', '1772366399', 0],
    ['in milliseconds that is over', '1772366399000', 0],
    ['in microseconds that is over', '1772366399000000', 0],
    ['of the year 2001', '1000000000', 0],
    ['of the year 2286', '9999999999', DAY_MS],
    ['in milliseconds of the year 2286', '9999999999999', DAY_MS],
  ])('until a Unix time %s is the rest until then', (_name, stated, expected) =>
    expect(statedDelay(stated, NOW)).toBe(expected),
  );

  it.each([
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    ['Sun Mar  1 12:00:05 2026', 5_000],
    ['Sun, 01 Mar 2026 13:00:30 +0100', 30_000],
    ['Sun, 01 Mar 2026 08:00:30 -0400', 30_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', DAY_MS],
    ['2026-03-01T12:00:30Z', 30_000],
    ['2026-03-01T12:00:30.250000Z', 30_250],
    ['2026-03-01T13:00:30+01:00', 30_000],
    ['2026-03-01T12:00:30', 30_000],
    ['2026-03-01 12:00:30', 30_000],
    ['2026-03-01 12:00:30 UTC', 30_000],
    ['2026-03-01T11:00:00Z', 0],
  ])('until %s is %s ms', (stated, expected) => expect(statedDelay(stated, NOW)).toBe(expected));

  it.each([
    '-5',
    'soon',
    'soon 5',
    'Mon, nonsense',
    'Mon 5',
    '12x',
    '5, 5',
    '1e9',
    'NaN',
    'Infinity',
    '2026-13-45T99:99:99Z',
    // 11, 12, 14, 15 and 17 digits or more are neither seconds nor a time.
    '99999999999',
    '999999999999',
    '99999999999999',
    '999999999999999',
    '99999999999999999',
    '9'.repeat(400),
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e30,
  ])('is ignored when it is %s', (stated) => expect(statedDelay(stated, NOW)).toBeNull());

  const now = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2090, 0) });

  it('is between 0 and a day, or ignored, whatever is stated at any time', () => {
    const stated = fc.oneof(
      fc.string(),
      fc.double(),
      fc.double().map(String),
      fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
      fc.date().map((date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString())),
      fc.date().map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(stated, now, (value, at) => {
        const delay = statedDelay(value, at);
        if (delay === null) return;
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(MAX_STATED_DELAY_MS);
      }),
    );
  });

  it('is not shorter for more seconds', () => {
    const seconds = fc.double({ min: 0, max: 999_999_999, noNaN: true });
    fc.assert(
      fc.property(seconds, seconds, now, (a, b, at) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((value) =>
          statedDelay(value.toFixed(3), at),
        );
        expect(more!).toBeGreaterThanOrEqual(less!);
      }),
    );
  });

  it('is the same for a moment in every form of it, and passes with the clock', () => {
    const ahead = fc.integer({ min: -100_000, max: 200_000 });
    fc.assert(
      fc.property(now, ahead, fc.nat(100_000), (at, seconds, later) => {
        const start = Math.floor(at / 1_000) * 1_000;
        const moment = start + seconds * 1_000;
        const iso = new Date(moment).toISOString();
        const forms = [`${moment / 1_000}`, `${moment}`, `${moment}000`, iso, new Date(moment).toUTCString()];
        const rest = Math.min(DAY_MS, Math.max(0, moment - start - later * 1_000));
        for (const form of forms) expect(statedDelay(form, start + later * 1_000)).toBe(rest);
      }),
    );
  });
});
