import type { SqlParameters } from '../../../database/sql.js';
import type { Condition, Slot } from '../../query/condition.js';
import type { Operator, TextField } from '../../query/query-tree.js';
import { conditionOfText } from '../../query/ranked-slots.js';
import type { SearchFilter } from '../../search-request.js';
import {
  type FieldRule,
  type FilterRule,
  microseconds,
  type SearchedTable,
  wantedKeys,
} from '../../searched-table.js';
import { type Choice, choiceOf, type ChoiceValue } from '../../choice.js';
import { givenFilters } from '../../sql/conditions.js';
import { FIELD_NAMES } from '../../sql/query-sql.js';
import type { Range } from '../format/range.js';
import { fieldPrefix, valueKey, valuePrefix, wordKey } from '../format/term-keys.js';

/** How a number is compared with a bound. */
type BoundOperator = Exclude<FilterRule['operator'], 'choice' | '=' | 'in'>;

/** Terms by their key, or by the beginning of their keys. */
export interface TermKey {
  key: string;
  isWhole: boolean;
}

/** Which rows of a segment a filter matches. */
export type Match =
  | { kind: 'all' }
  | { kind: 'none' }
  /** Rows of the terms whose keys begin with `key`, or of the term `key` only when `isWhole`; of words, only in `field`. */
  | (TermKey & { kind: 'terms'; field: TextField | null })
  /** Rows in which words, each any of some terms, have these positions relative to the first. */
  | { kind: 'phrase'; slots: readonly TermKey[][]; positions: readonly number[]; field: TextField | null }
  /** Rows in which words are at most `distance` positions apart, all in the title or all in the text. */
  | { kind: 'near'; slots: readonly TermKey[][]; distance: number; field: TextField | null }
  | { kind: 'bound'; column: string; operator: BoundOperator; value: number }
  | { kind: 'not'; operand: Match }
  | { kind: 'and' | 'or'; operands: Match[] };

/**
 * Expressions that Postgres computes for a match, so that lower case, stems and times are the same as in its own
 * statements.
 */
export class PostgresExpressions {
  readonly expressions: string[] = [];

  constructor(readonly parameters: SqlParameters) {}

  /** Adds an expression over a value; returns the index of its result. */
  add(expression: (placeholder: string) => string, value: unknown): number {
    this.expressions.push(expression(this.parameters.add(value)));
    return this.expressions.length - 1;
  }
}

/**
 * A match that still needs the results of {@link PostgresExpressions}, as text. Null when segments cannot answer it:
 * conditions on fields that they do not store.
 */
export type PlannedMatch = (results: readonly string[]) => Match | null;

/** The match of a filter; null when the filter is by a field that segments do not store. */
export function planMatch(
  { fields, filters }: Pick<SearchedTable, 'fields' | 'filters'>,
  filter: SearchFilter,
  computed: PostgresExpressions,
): PlannedMatch | null {
  const parts: PlannedMatch[] = [];
  for (const [name, value] of givenFilters(filter)) {
    if (name === 'q') {
      parts.push(planQuery(conditionOfText(String(value)), fields, computed));
      continue;
    }
    const { field, operator } = filters[name]!;
    const rule = fields[field]!;
    if (!rule.segment || operator === 'in') return null;
    if (operator === 'choice') parts.push(planChoice(field, rule, choiceOf(value as ChoiceValue), computed));
    else if (operator === '=') parts.push(planValue(field, rule, String(value), computed));
    else parts.push(planBound(field, operator, value, computed));
  }
  return joined('and', parts);
}

/** The match of rows with one of the wanted values and none of the excluded ones. */
function planChoice(
  field: string,
  rule: FieldRule,
  { any, none }: Choice,
  computed: PostgresExpressions,
): PlannedMatch {
  const isOneOf = (values: readonly string[]): PlannedMatch =>
    joined(
      'or',
      values.map((value) => planValue(field, rule, value, computed)),
    );
  return joined('and', [
    ...(any.length > 0 ? [isOneOf(any)] : []),
    ...(none.length > 0 ? [negated(isOneOf(none))] : []),
  ]);
}

function planBound(
  column: string,
  operator: BoundOperator,
  value: unknown,
  computed: PostgresExpressions,
): PlannedMatch {
  if (typeof value === 'number') return () => ({ kind: 'bound', column, operator, value });
  const index = computed.add((placeholder) => microseconds(`${placeholder}::timestamptz`), value);
  return (results) => ({ kind: 'bound', column, operator, value: Number(results[index]) });
}

function planValue(
  field: string,
  rule: FieldRule,
  value: string,
  computed: PostgresExpressions,
): PlannedMatch {
  if (rule.type === 'name') return planKeys(rule, value, computed, (key) => valuePrefix(field, key));
  // Every row with the value has a first occurrence of it, however often its list repeats it.
  const key = valueKey(field, value, rule.type === 'list' ? '1' : '');
  return () => ({ kind: 'terms', key, isWhole: true, field: null });
}

/** The match of rows whose keys of a name begin as `beginningOf` returns for a wanted key. */
function planKeys(
  rule: FieldRule,
  value: string,
  computed: PostgresExpressions,
  beginningOf: (key: string) => string,
): PlannedMatch {
  const indexes = wantedKeys(rule).map((expression) => computed.add(expression, value));
  return (results) => {
    const operands = indexes.map((index): Match => {
      return { kind: 'terms', key: beginningOf(results[index]!), isWhole: false, field: null };
    });
    return operands.length === 1 ? operands[0]! : { kind: 'or', operands };
  };
}

function planQuery(
  condition: Condition,
  fields: SearchedTable['fields'],
  computed: PostgresExpressions,
): PlannedMatch {
  switch (condition.kind) {
    case 'all':
    case 'none': {
      const { kind } = condition;
      return () => ({ kind });
    }
    case 'phrase':
    case 'near':
      return () => matchOfWords(condition);
    case 'value': {
      const name = FIELD_NAMES[condition.field];
      const rule = fields[name];
      if (rule === undefined) return none;
      return rule.segment ? planNamed(name, rule, condition, computed) : () => null;
    }
    case 'bound': {
      const column = FIELD_NAMES[condition.field];
      if (fields[column] === undefined) return none;
      const { operator, value } = condition;
      const number = typeof value === 'number' ? value : Date.parse(value) * MICROSECONDS;
      return fields[column].segment ? () => bounded(column, operator, number) : () => null;
    }
    case 'flag': {
      const name = FIELD_NAMES[condition.flag];
      const rule = fields[name];
      if (rule === undefined) return none;
      if (!rule.segment) return () => null;
      return rule.type === 'boolean' ? planValue(name, rule, 'true', computed) : () => bounded(name, '>', 0);
    }
    case 'not':
      return negated(planQuery(condition.operand, fields, computed));
    case 'and':
    case 'or':
      return joined(
        condition.kind,
        condition.operands.map((operand) => planQuery(operand, fields, computed)),
      );
  }
}

/** Microseconds in a millisecond. */
const MICROSECONDS = 1_000;

const termsOf = ({ counted, others, isPrefix }: Slot): TermKey[] =>
  [...counted, ...others].map((lexeme) => ({ key: wordKey(lexeme), isWhole: !isPrefix }));

function matchOfWords(condition: Condition & { kind: 'phrase' | 'near' }): Match {
  const { field } = condition;
  const slots = condition.slots.map(termsOf);
  if (condition.kind === 'near') return { kind: 'near', slots, distance: condition.distance, field };
  if (slots.length > 1) return { kind: 'phrase', slots, positions: condition.positions, field };
  return { kind: 'or', operands: slots[0]!.map((term): Match => ({ kind: 'terms', ...term, field })) };
}

/** The match of a field of a query, which ignores case except in names that differ by it; null for prefixes of values with case. */
function planNamed(
  field: string,
  rule: FieldRule,
  { value, isPrefix }: Condition & { kind: 'value' },
  computed: PostgresExpressions,
): PlannedMatch {
  const isName = rule.type === 'name';
  if (!isPrefix) return planValue(field, rule, isName ? value : value.toLowerCase(), computed);
  if (!isName) return () => null;
  return planKeys(rule, value, computed, (key) => fieldPrefix(field) + key);
}

function bounded(column: string, operator: Operator, value: number): Match {
  const bound = (one: BoundOperator): Match => ({ kind: 'bound', column, operator: one, value });
  if (operator === '>') return { kind: 'not', operand: bound('<=') };
  return operator === '=' ? { kind: 'and', operands: [bound('>='), bound('<=')] } : bound(operator);
}

const none: PlannedMatch = () => ({ kind: 'none' });

function negated(operand: PlannedMatch): PlannedMatch {
  return (results) => {
    const match = operand(results);
    return match && { kind: 'not', operand: match };
  };
}

function joined(kind: 'and' | 'or', parts: readonly PlannedMatch[]): PlannedMatch {
  return (results) => {
    const operands = parts.map((part) => part(results));
    if (operands.some((operand) => operand === null)) return null;
    if (operands.length === 0) return { kind: kind === 'and' ? 'all' : 'none' };
    return { kind, operands: operands as Match[] };
  };
}

/**
 * A match of the same rows of a segment with fewer conditions: bounds that all of its rows or none of them satisfy are
 * replaced. `rangeOf` returns the range of a column in the segment.
 */
export function narrowed(match: Match, rangeOf: (column: string) => Range): Match {
  switch (match.kind) {
    case 'bound':
      return narrowedBound(match, rangeOf(match.column));
    case 'not': {
      const operand = narrowed(match.operand, rangeOf);
      if (operand.kind === 'all') return { kind: 'none' };
      return operand.kind === 'none' ? { kind: 'all' } : { kind: 'not', operand };
    }
    case 'and':
      return narrowedGroup('and', 'none', 'all', match.operands, rangeOf);
    case 'or':
      return narrowedGroup('or', 'all', 'none', match.operands, rangeOf);
    default:
      return match;
  }
}

/** One operand of the kind `decisive` decides the whole; those of the kind `neutral` change nothing. */
function narrowedGroup(
  kind: 'and' | 'or',
  decisive: 'all' | 'none',
  neutral: 'all' | 'none',
  all: readonly Match[],
  rangeOf: (column: string) => Range,
): Match {
  const operands = all.map((operand) => narrowed(operand, rangeOf)).filter((one) => one.kind !== neutral);
  if (operands.some((one) => one.kind === decisive)) return { kind: decisive };
  if (operands.length === 0) return { kind: neutral };
  return operands.length === 1 ? operands[0]! : { kind, operands };
}

function narrowedBound(match: Match & { kind: 'bound' }, range: Range): Match {
  const { operator, value } = match;
  const holds = (number: number): boolean =>
    operator === '>=' ? number >= value : operator === '<=' ? number <= value : number < value;
  if (holds(range.lowest) && holds(range.highest)) return { kind: 'all' };
  return holds(range.lowest) || holds(range.highest) ? match : { kind: 'none' };
}
