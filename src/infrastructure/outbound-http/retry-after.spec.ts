import { parseRetryAfter } from './retry-after.js';

const NOW = new Date('2026-03-01T12:00:00Z');

it.each<[string | undefined, number | null]>([
  [undefined, null],
  ['', null],
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['0.65', 650],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['-5', null],
  ['soon', null],
  ['Mon, nonsense', null],
  ['1e9', null],
  ['999999999', 999_999_999_000],
  ['1000000000', 1_000_000_000_000],
  ['99999999999', 1_000_000_000_000],
  ['9'.repeat(400), 1_000_000_000_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 1_000_000_000_000],
  ['Sun Mar  1 12:00:05 2026', 5_000],
  ['0.0001', 1],
])('Retry-After: %s', (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});
