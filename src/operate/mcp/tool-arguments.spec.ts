import { z } from 'zod';
import { argumentsOf, nearestArgument } from './tool-arguments.js';

const KNOWN = ['q', 'forum', 'author', 'min_score', 'created_after', 'sort_by', 'sort_order', 'limit'];

describe('the nearest argument', () => {
  it.each([
    ['query', 'q'],
    ['Q', 'q'],
    ['autor', 'author'],
    ['forums', 'forum'],
    ['froum', 'forum'],
    ['order', 'sort_order'],
    ['after', 'created_after'],
    ['sort', 'sort_by'],
    ['limit_to', 'limit'],
    ['text', null],
    ['subreddit', null],
    ['request', null],
    ['', null],
    ['x'.repeat(100_000), null],
  ])('of %s is %s', (unknown, nearest) => expect(nearestArgument(unknown, KNOWN)).toBe(nearest));
});

describe('arguments', () => {
  const schema = argumentsOf({ q: z.string().optional(), inner: argumentsOf({ to: z.string() }).optional() });
  const errorsOf = (input: object): string[] =>
    schema.safeParse(input).error?.issues.map(({ message, path }) => `${path.join('.')}: ${message}`) ?? [];

  it('are accepted when all are known', () => {
    expect(errorsOf({ q: 'x', inner: { to: 'y' } })).toEqual([]);
  });

  it('are refused with each unknown one, and the known ones', () => {
    expect(errorsOf({ query: 'x', other: 1 })).toEqual([
      ': Unknown argument `query`. Did you mean `q`? Unknown argument `other`. Allowed: q, inner.',
    ]);
  });

  it('are refused with unknown ones within one', () => {
    expect(errorsOf({ inner: { to: 'y', cc: 'z' } })).toEqual(['inner: Unknown argument `cc`. Allowed: to.']);
  });

  it('are refused with a short error, however many and long the unknown ones are', () => {
    const input = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n}`.repeat(1_000), n]));
    expect(errorsOf(input)[0]!.length).toBeLessThan(2_000);
  });

  it('are refused with an error of their own when a known one is wrong', () => {
    expect(errorsOf({ q: 5 })[0]).toMatch(/^q: (?!Unknown)/);
  });
});
