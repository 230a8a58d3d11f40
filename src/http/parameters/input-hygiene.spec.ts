import { isSteep } from '../../../test/support/steep-work.js';
import { bodyErrors, hasTooManyCommas, MAX_DEPTH, MAX_VALUES, refuseUnusableQuery } from './input-hygiene.js';
import { MAX_FIELD_ERRORS } from '../problems/problem.js';

describe('a body', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { field: nested(levels - 1) });

  it('may nest up to the limit, and no deeper', () => {
    expect(bodyErrors(nested(MAX_DEPTH))).toEqual([]);
    expect(bodyErrors(nested(MAX_DEPTH + 1))).toEqual([
      { field: 'field', message: `field must not nest deeper than ${MAX_DEPTH} levels` },
    ]);
  });

  it('may have as many values as the limit, counting itself, and no more', () => {
    expect(bodyErrors(Array.from({ length: MAX_VALUES - 1 }, () => 1))).toEqual([]);
    expect(bodyErrors(Array.from({ length: MAX_VALUES }, () => 1))).toEqual([
      { field: 'body', message: `body must not contain more than ${MAX_VALUES} values` },
    ]);
  });

  it.each([
    ['a list of one value less than the limit', Array.from({ length: MAX_VALUES - 1 }, () => 1), false],
    ['a list of as many values as the limit', Array.from({ length: MAX_VALUES }, () => 1), true],
    ['lists within lists', Array.from({ length: MAX_VALUES / 4 }, () => [1, 2, [], {}]), true],
    [
      'as many fields as the limit',
      Object.fromEntries(Array.from({ length: MAX_VALUES }, (_, n) => [n, '"'])),
      true,
    ],
    ['commas within texts', ['\\",'.repeat(MAX_VALUES), { [','.repeat(MAX_VALUES)]: ',' }], false],
    ['no list', null, false],
  ])('has too many commas: %s', (_, value, isRefused) => {
    expect(hasTooManyCommas(Buffer.from(JSON.stringify(value)))).toBe(isRefused);
    expect(bodyErrors(value).length > 0).toBe(isRefused);
  });

  it('is checked in linear time, whatever the length of the names around its values', async () => {
    const check = (length: number) => {
      const names = Array.from({ length: MAX_DEPTH - 2 }, () => 'x'.repeat(length));
      const values: unknown = Array.from({ length }, () => []);
      bodyErrors(names.reduceRight((value, name) => ({ [name]: value }), values));
    };
    expect(await isSteep(check, 4_000)).toBe(false);
  });

  it('is rejected with a bounded number of errors', () => {
    const names = Array.from({ length: 2 * MAX_FIELD_ERRORS }, (_, number) => `field${number}`);
    const values = Object.fromEntries(names.map((name) => [name, 'a\0']));
    const keys = Object.fromEntries(names.map((name) => [`${name}\0`, 1]));
    expect([bodyErrors(values).length, bodyErrors(keys).length]).toEqual([
      MAX_FIELD_ERRORS,
      MAX_FIELD_ERRORS,
    ]);
  });
});

describe('a query string', () => {
  const fieldsOf = (url: string, query: Record<string, unknown> = {}): string[] => {
    let problem: { extra?: { errors?: { field: string }[] } } | undefined;
    const next = (error?: unknown) => (problem = error as typeof problem);
    refuseUnusableQuery({ originalUrl: url, query } as never, {} as never, next);
    return problem?.extra?.errors?.map(({ field }) => field) ?? [];
  };

  it.each<[string, Record<string, unknown>, string[]]>([
    ['/posts', {}, []],
    ['/posts/%ff', {}, []],
    ['/posts?q=a%20b&limit=1', { q: 'a b', limit: '1' }, []],
    ['/posts?q=%ff&a=%', {}, ['q', 'a']],
    ['/posts?toString=1', { toString: '1' }, ['toString']],
    ['/posts?limit=1&limit=2', { limit: ['1', '2'] }, ['limit']],
    ['/posts?q=%00', { q: '\u0000' }, ['q']],
    ['/posts?q=a&%00=1', { q: 'a', '\u0000': '1' }, ['\u0000']],
  ])('in %s with %j has the faulty fields %j', (url, query, fields) => {
    expect(fieldsOf(url, query)).toEqual(fields);
  });
});
