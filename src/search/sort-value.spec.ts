import { isSortValue, numberOf } from './sort-value.js';

describe('a sort value in a cursor', () => {
  it.each([
    ['timestamptz', '2026-11-21 09:30:00.123456+00'],
    ['timestamptz', '2026-11-21 09:30:00+05:30'],
    ['timestamptz', '2026-11-21 09:30:00.5+00'],
    ['integer', '-2147483647'],
    ['float8', '0.94'],
    ['float8', '-1'],
    ['float8', '1e-05'],
    ['float8', '0'],
    ['timestamptz', '2024-02-29 00:00:00+00'],
    ['timestamptz', '12026-01-01 00:00:00+00'],
    ['none', ''],
    ['relevance', '1.4142135623730951,48.5,2.302,0.01'],
    ['relevance', '0,1'],
  ] as const)('may be what Postgres writes for %s: %s', (type, text) => {
    expect(isSortValue(type, text)).toBe(true);
  });

  it.each([
    ['timestamptz', 'yesterday'],
    ['timestamptz', '2026-13-41 09:30:00+00'],
    ['timestamptz', 'infinity'],
    ['timestamptz', '2024-02-30 00:00:00+00'],
    ['timestamptz', '0000-01-01 00:00:00+00'],
    ['timestamptz', '2026-01-01 00:00:00+23'],
    ['timestamptz', '2026-01-01 00:00:00+05:99'],
    ['float8', '1e-400'],
    ['none', '1'],
    ['relevance', '1.5'],
    ['relevance', '-1,48.5,2'],
    ['relevance', '1e-400,48.5,2'],
    ['relevance', '1,0.5,2'],
    ['relevance', '1,48.5,1e300'],
    ['relevance', `1${',1'.repeat(34)}`],
    ['integer', '2147483648'],
    ['integer', '1.5'],
    ['integer', ''],
    ['float8', 'NaN'],
    ['float8', '1e999'],
    ['float8', "1' OR true"],
  ] as const)('is not anything else for %s: %s', (type, text) => {
    expect(isSortValue(type, text)).toBe(false);
  });

  it.each([
    ['timestamptz', '1970-01-01 00:00:01.5+00', 1_500_000],
    ['timestamptz', '1970-01-01 05:30:00.000001+05:30', 1],
    ['timestamptz', '1970-01-01 00:00:00-01', 3_600_000_000],
    ['timestamptz', '1969-12-31 23:59:59.25+00', -750_000],
    ['timestamptz', '1900-01-01 00:00:00+00:19:32', null],
    ['timestamptz', '12026-01-01 00:00:00+00', null],
    ['integer', '-7', -7],
    ['float8', '1e-05', 0.000_01],
    ['none', '', null],
    ['relevance', '0,1', null],
  ] as const)('is for %s %s the number %s', (type, text, number) => {
    expect(numberOf(type, text)).toBe(number);
  });
});
