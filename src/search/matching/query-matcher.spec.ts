import fc from 'fast-check';
import { matchesNaively } from '../../../test/support/naive-matcher.js';
import { queryArbitrary, recordArbitrary } from '../../../test/support/query-arbitraries.js';
import { growthOf } from '../../../test/support/growth.js';
import { conditionOfQuery } from '../query/condition.js';
import { parseQuery } from '../query/parse-query.js';
import { VALUE_FIELDS } from '../query/query-tree.js';
import type { MatchedRecord } from './matched-record.js';
import { QueryMatcher } from './query-matcher.js';

const compile = (queries: readonly string[]): Promise<QueryMatcher> =>
  QueryMatcher.compile(queries.map((q) => conditionOfQuery(parseQuery(q).tree)));

const matches = (matcher: QueryMatcher, record: MatchedRecord): number[] => {
  const found: number[] = [];
  matcher.match(record, (query) => found.push(query));
  return found.sort((a, b) => a - b);
};

describe('QueryMatcher', () => {
  it('gives the same answers as a plain search for 10,000 pairs of text and query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(queryArbitrary, { minLength: 20, maxLength: 20 }),
        fc.array(recordArbitrary, { minLength: 5, maxLength: 5 }),
        async (queries, records) => {
          const matcher = await compile(queries);
          for (const record of records) {
            const found = matches(matcher, record);
            const expected = queries.flatMap((q, index) =>
              matchesNaively(conditionOfQuery(parseQuery(q).tree), record) ? [index] : [],
            );
            expect(found).toEqual(expected);
          }
        },
      ),
      { seed: 44, numRuns: 100 },
    );
  });

  it.each(VALUE_FIELDS)(
    'compares values of %s in any case, authors by the rule of their source',
    async (field) => {
      const values = ['Mixed', 'MIXED', 'Mi', 'MI'].map((value, at) => ({ field, value, isPrefix: at > 1 }));
      const matcher = await QueryMatcher.compile(values.map((one) => ({ kind: 'value', ...one })));
      const record = { texts: { title: '', text: '' }, language: 'en', numbers: {}, flags: {} };
      for (const isAuthorCaseSensitive of [undefined, false, true]) {
        const found = matches(matcher, { ...record, values: { [field]: 'Mixed' }, isAuthorCaseSensitive });
        expect(found).toEqual(field === 'author' && isAuthorCaseSensitive ? [0, 2] : [0, 1, 2, 3]);
      }
    },
  );

  it.each([
    ['a phrase', `"${'b '.repeat(99)}c"`],
    ['words near each other', `"${'b '.repeat(99)}c"~100`],
  ])('needs linear time for %s in a text that repeats a word', async (_, q) => {
    const matcher = await compile([q]);
    const growth = await growthOf((size) => {
      const text = `${'b '.repeat(size)}${'x '.repeat(100)}c`;
      const record = { language: 'en', values: {}, numbers: {}, flags: {} };
      matches(matcher, { ...record, texts: { title: '', text } });
    }, 60);
    expect(growth).toBeLessThan(3);
  });

  it('grows with the words of its queries', async () => {
    const sized = async (count: number): Promise<number> =>
      (await compile(Array.from({ length: count }, (_, n) => `word${n}x -other${n}x`))).size;
    const small = await sized(500);
    expect(await sized(1_000)).toBe(2 * small);
  });
});
