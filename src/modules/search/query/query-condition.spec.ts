import { SqlParameters } from '../../../database/sql.js';
import { planMatch, PostgresExpressions } from '../segments/read/match.js';
import { parseQuery } from './parse-query.js';
import { queryCondition, rankingWords, toTsquery } from './query-condition.js';

const COLUMNS = { author: { sql: 'author' }, forum: { sql: 'forum' } };

function conditionOf(query: string): { condition: string; values: unknown[] } {
  const values: unknown[] = [];
  const condition = queryCondition(parseQuery(query), COLUMNS, (value) => `$${values.push(value)}`);
  return { condition, values };
}

describe('the words that rank', () => {
  it.each([
    ['solid state', "'solid' | 'state'"],
    ['solid -state', "'solid'"],
    ['-solid', ''],
    ['-(solid OR state) cell', "'cell'"],
    ['solid OR (state -cell)', "'solid' | 'state'"],
    ['author:ann', ''],
    ['Over* over', "'Over7kept7':* | 'over'"],
    ['title:bat* "solid state"', "'bat':*A | 'solid state'"],
  ])('of %j are %j', (query, words) => {
    expect(rankingWords(parseQuery(query))).toBe(words);
  });
});

describe('a condition', () => {
  it('matches nothing without an operand or for a field that the table lacks', () => {
    expect(conditionOf('()').condition).toBe('FALSE');
    expect(conditionOf('flair:news').condition).toBe('FALSE');
    expect(conditionOf('-flair:news').condition).toBe('NOT FALSE');
  });

  it('compares whole field values, ignoring case', () => {
    expect(conditionOf('author:Ann')).toEqual({
      condition: 'lower(author) = lower($1)',
      values: ['Ann'],
    });
  });

  it('for a word that begins with a stop word is the same as for segments', () => {
    const computed = new PostgresExpressions(new SqlParameters());
    planMatch({ fields: {}, filters: {} }, { q: 'over*' }, computed);
    const { condition } = conditionOf('over*');
    expect(condition).toContain('regexp_replace');
    expect(`search @@ ${computed.expressions[0]!.replace(/^\((.*)\)::text$/, '$1')}`).toBe(condition);
  });

  it('quotes text so that nothing in it is an operator', () => {
    const text = { kind: 'text', isPrefix: false, inTitle: false } as const;
    expect(toTsquery({ ...text, text: `it's a \\ & b` })).toBe(`'it''s a \\\\ & b'`);
    expect(toTsquery({ ...text, text: `\\` })).toBe(`'\\\\'`);
  });
});
