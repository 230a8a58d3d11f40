import type { Match } from './match.js';
import { narrowed } from './narrowed-match.js';

const WORD: Match = { kind: 'terms', key: 'w:solar', isWhole: true, inTitle: false };
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
