import { SqlParameters } from '../../../database/sql.js';
import type { SearchFilter } from '../../search-request.js';
import type { SearchedTable } from '../../searched-table.js';
import { type Match, narrowed, planMatch, PostgresExpressions } from './match.js';

const stored = { segment: true, facet: true, sort: false } as const;
const TABLE: Pick<SearchedTable, 'fields' | 'filters'> = {
  fields: {
    forum: { sql: 'forum', type: 'name', ...stored },
    author: { sql: 'author', type: 'name', ...stored },
    post_id: { sql: 'post_id', type: 'text', ...stored, segment: false },
    created_utc: { sql: 'created_utc', type: 'timestamptz', ...stored },
  },
  filters: {
    forum: { field: 'forum', operator: '=' },
    post_id: { field: 'post_id', operator: '=' },
    created_after: { field: 'created_utc', operator: '>=' },
    created_before: { field: 'created_utc', operator: '<' },
  },
};

describe('the match of a filter', () => {
  it('uses the result that Postgres computes for each value', () => {
    const computed = new PostgresExpressions(new SqlParameters());
    const filter = { forum: 'Chess', created_after: '2026-01-01', created_before: '2026-02-01' };
    const match = planMatch(TABLE, filter, computed)!;
    expect(computed.parameters.values).toEqual(Object.values(filter));
    expect(match(['chess', '5', '7'])).toMatchObject({
      operands: [
        { kind: 'terms', key: expect.stringContaining('chess') as string },
        { column: 'created_utc', operator: '>=', value: 5 },
        { column: 'created_utc', operator: '<', value: 7 },
      ],
    });
  });

  it('has the words of a query without Postgres, and the names that it folds', () => {
    const computed = new PostgresExpressions(new SqlParameters());
    const match = planMatch(TABLE, { q: '=solar author:Ann' }, computed)!;
    expect(computed.parameters.values).toEqual(['Ann']);
    const words = { kind: 'or', operands: [{ kind: 'terms', key: 'w:solar', isWhole: true, field: null }] };
    expect(match(['ann'])).toMatchObject({
      operands: [{ kind: 'and', operands: [words, { kind: 'terms' }] }],
    });
  });

  it('is null for fields that segments do not store', () => {
    expect(
      planMatch(TABLE, { post_id: 't3_a' } as SearchFilter, new PostgresExpressions(new SqlParameters())),
    ).toBeNull();
  });
});

const WORD: Match = { kind: 'terms', key: 'w:solar', isWhole: true, field: null };
const ALL: Match = { kind: 'all' };
const NONE: Match = { kind: 'none' };

const bound = (operator: '>=' | '<=' | '<', value: number): Match => ({
  kind: 'bound',
  column: 'score',
  operator,
  value,
});
const not = (operand: Match): Match => ({ kind: 'not', operand });
const and = (...operands: Match[]): Match => ({ kind: 'and', operands });
const or = (...operands: Match[]): Match => ({ kind: 'or', operands });

describe('the match of a segment with scores from 10 to 20', () => {
  const rangeOf = () => ({ lowest: 10, highest: 20 });

  it.each<[Match, Match]>([
    [bound('>=', 10), ALL],
    [bound('>=', 11), bound('>=', 11)],
    [bound('>=', 20), bound('>=', 20)],
    [bound('>=', 21), NONE],
    [bound('<=', 20), ALL],
    [bound('<=', 19), bound('<=', 19)],
    [bound('<=', 10), bound('<=', 10)],
    [bound('<=', 9), NONE],
    [bound('<', 21), ALL],
    [bound('<', 20), bound('<', 20)],
    [bound('<', 11), bound('<', 11)],
    [bound('<', 10), NONE],
  ])('of the bound %j is %j', (match, expected) => {
    expect(narrowed(match, rangeOf)).toEqual(expected);
  });

  it.each<[Match, Match]>([
    [WORD, WORD],
    [not(bound('>=', 10)), NONE],
    [not(bound('>=', 21)), ALL],
    [not(WORD), not(WORD)],
    [and(), ALL],
    [and(bound('>=', 10), bound('<', 30)), ALL],
    [and(bound('>=', 10), WORD), WORD],
    [and(bound('>=', 15), WORD, bound('<', 30)), and(bound('>=', 15), WORD)],
    [and(WORD, bound('>=', 21)), NONE],
    [or(), NONE],
    [or(bound('>=', 21), bound('<', 10)), NONE],
    [or(WORD, bound('>=', 21)), WORD],
    [or(WORD, bound('>=', 10)), ALL],
    [and(or(WORD, bound('<', 10)), not(bound('>=', 21))), WORD],
  ])('of %j is %j', (match, expected) => {
    expect(narrowed(match, rangeOf)).toEqual(expected);
  });
});
