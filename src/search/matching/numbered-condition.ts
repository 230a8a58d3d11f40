import type { Condition } from '../query/condition.js';
import type { Operator } from '../query/query-tree.js';
import type { MatchedRecord } from './matched-record.js';
import type { NumberedNear, NumberedPhrase } from './record-places.js';
import type { RecordWords } from './record-words.js';
import type { NumberedWord, WordNumbers } from './word-numbers.js';

/** A condition whose words are numbers. */
export type Numbered =
  | NumberedWord
  | ({ kind: 'phrase' } & NumberedPhrase)
  | ({ kind: 'near' } & NumberedNear)
  | { kind: 'not'; operand: Numbered }
  | { kind: 'and' | 'or'; operands: readonly Numbered[] }
  | Exclude<Condition, { kind: 'phrase' | 'near' | 'not' | 'and' | 'or' }>;

/** Position of conditions other than words. */
export const NOWHERE = -1;

/** The condition with its words numbered; of several operands, those that cost least come first. */
export function numbered(condition: Condition, numbers: WordNumbers): Numbered {
  switch (condition.kind) {
    case 'phrase':
    case 'near': {
      const { field, slots } = condition;
      if (condition.kind === 'phrase' && slots.length === 1 && field === null)
        return numbers.wordOf(slots[0]!);
      const words = slots.map((slot) => numbers.of(slot));
      if (condition.kind === 'near') return { kind: 'near', words, distance: condition.distance, field };
      return { kind: 'phrase', words, positions: condition.positions, field };
    }
    case 'not':
      return { kind: 'not', operand: numbered(condition.operand, numbers) };
    case 'and':
    case 'or': {
      const operands = condition.operands.map((one) => numbered(one, numbers));
      return { kind: condition.kind, operands: operands.sort((a, b) => costOf(a) - costOf(b)) };
    }
    default:
      return condition;
  }
}

/** Whether a condition holds for a record whose words have been read. */
export function holds(condition: Numbered, record: MatchedRecord, words: RecordWords): boolean {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'word':
      return words.has(condition.word);
    case 'phrase':
      return words.endOf(condition) !== NOWHERE;
    case 'near':
      return words.isNear(condition);
    case 'not':
      return !holds(condition.operand, record, words);
    case 'and':
      return condition.operands.every((operand) => holds(operand, record, words));
    case 'or':
      return condition.operands.some((operand) => holds(operand, record, words));
    case 'value':
      return hasValue(record, condition);
    case 'bound':
      return compares(record.numbers[condition.field], condition.operator, condition.value);
    case 'flag':
      return record.flags[condition.flag] === true;
  }
}

/** Whether {@link endOf} can be anything but {@link NOWHERE}. */
export const hasEnd = ({ kind }: Numbered): boolean => kind === 'word' || kind === 'phrase' || kind === 'or';

/** Where a word, a phrase, or the first of several, ends first in a record that was read; -1 for other conditions. */
export function endOf(condition: Numbered, words: RecordWords): number {
  if (condition.kind === 'word')
    return words.has(condition.word) ? words.firstPosition(condition.word) : NOWHERE;
  if (condition.kind === 'phrase') return words.endOf(condition);
  if (condition.kind !== 'or') return NOWHERE;
  return condition.operands
    .map((operand) => endOf(operand, words))
    .reduce((a, b) => (a === NOWHERE || (b !== NOWHERE && b < a) ? b : a), NOWHERE);
}

/** Words need no places, and phrases are the dearest. */
function costOf(condition: Numbered): number {
  switch (condition.kind) {
    case 'phrase':
    case 'near':
      return 2;
    case 'not':
      return costOf(condition.operand);
    case 'and':
    case 'or':
      return Math.max(1, ...condition.operands.map(costOf));
    default:
      return 0;
  }
}

function hasValue(
  { values, isAuthorCaseSensitive }: MatchedRecord,
  { field, value: wanted, isPrefix }: Condition & { kind: 'value' },
): boolean {
  const hasCase = field === 'author' && isAuthorCaseSensitive === true;
  const keyOf = (text: string): string => (hasCase ? text : text.toLowerCase());
  const key = keyOf(wanted);
  return [values[field] ?? []]
    .flat()
    .some((value) => (isPrefix ? keyOf(value).startsWith(key) : keyOf(value) === key));
}

function compares(number: number | undefined, operator: Operator, value: number | string): boolean {
  if (number === undefined) return false;
  const other = typeof value === 'number' ? value : Date.parse(value);
  switch (operator) {
    case '>':
      return number > other;
    case '>=':
      return number >= other;
    case '<':
      return number < other;
    case '<=':
      return number <= other;
    case '=':
      return number === other;
  }
}
