import { SqlParameters } from '../../../../database/sql.js';
import { Computed, planMatch } from './match.js';

interface Filter {
  q?: string;
  forum?: string;
  author?: string;
  created_after?: string;
  created_before?: string;
}

const TABLE = {
  facets: { forum: { expression: 'forum', kind: 'name' } },
  segments: {
    columns: {},
    bounds: {
      created_after: { column: 'created_utc', operator: '>=' },
      created_before: { column: 'created_utc', operator: '<' },
    },
    flags: [],
  },
  query: { author: 'author', forum: 'forum', flair: null },
} as const;

describe('the match of a filter', () => {
  it('uses the result that Postgres computes for each value', () => {
    const computed = new Computed(new SqlParameters());
    const filter = { forum: 'Chess', created_after: '2026-01-01', created_before: '2026-02-01' };
    const match = planMatch<Filter>(TABLE, filter, computed)!;
    expect(computed.parameters.values).toEqual(Object.values(filter));
    expect(match(['chess', '5', '7'])).toMatchObject({
      operands: [
        { kind: 'terms', key: expect.stringContaining('chess') as string },
        { column: 'created_utc', operator: '>=', value: 5 },
        { column: 'created_utc', operator: '<', value: 7 },
      ],
    });
  });

  it.each([
    ['solar or author:ann or wind', 'or', `["ann","('solar' | 'wind')"]`],
    ['solar author:ann wind', 'and', `["ann","('solar' & 'wind')"]`],
  ])('passes the words of %s to Postgres as one query', (q, kind, words) => {
    const computed = new Computed(new SqlParameters());
    const match = planMatch<Filter>(TABLE, { q }, computed)!;
    expect(JSON.stringify(computed.parameters.values)).toBe(words);
    expect(match(['ann', `'solar'`])).toMatchObject({ operands: [{ kind }] });
  });

  it('is null for fields that segments do not store', () => {
    expect(planMatch<Filter>(TABLE, { author: 'ann' }, new Computed(new SqlParameters()))).toBeNull();
  });
});
