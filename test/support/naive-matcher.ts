import type { Condition, Slot } from '../../src/search/query/condition.js';
import type { MatchedRecord } from '../../src/search/matching/matched-record.js';
import { POSITION_BITS, readRecord, TITLE } from '../../src/text/record.js';

interface Place {
  lexeme: string;
  position: number;
  isInTitle: boolean;
}

/** Whether a record matches a condition, found by comparing all places of all words with one another. */
export function matchesNaively(condition: Condition, record: MatchedRecord): boolean {
  const lexemes = readRecord(record.texts, record.language);
  const places = Array.from({ length: lexemes.count }, (_, number) =>
    lexemes.placesOf(number).map((place): Place => ({
      lexeme: lexemes.text(number),
      position: place & POSITION_BITS,
      isInTitle: (place & TITLE) !== 0,
    })),
  ).flat();
  return holds(condition, record, places);
}

function holds(condition: Condition, record: MatchedRecord, places: readonly Place[]): boolean {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'not':
      return !holds(condition.operand, record, places);
    case 'and':
      return condition.operands.every((one) => holds(one, record, places));
    case 'or':
      return condition.operands.some((one) => holds(one, record, places));
    case 'phrase':
      return places.some(
        (start) =>
          isIn(start, condition.field) &&
          condition.slots.every((slot, index) =>
            places.some(
              (place) => isOf(place, slot) && place.position === start.position + condition.positions[index]!,
            ),
          ),
      );
    case 'near':
      return places.some(
        (start) =>
          isIn(start, condition.field) &&
          condition.slots.every((slot) =>
            places.some(
              (place) =>
                isOf(place, slot) &&
                place.isInTitle === start.isInTitle &&
                place.position >= start.position &&
                place.position - start.position <= condition.distance,
            ),
          ),
      );
    case 'value': {
      const values = [record.values[condition.field] ?? []].flat().map((one) => one.toLowerCase());
      const wanted = condition.value.toLowerCase();
      return values.some((one) => (condition.isPrefix ? one.startsWith(wanted) : one === wanted));
    }
    case 'bound': {
      const number = record.numbers[condition.field];
      const value = typeof condition.value === 'number' ? condition.value : Date.parse(condition.value);
      if (number === undefined) return false;
      const { operator } = condition;
      return (
        (operator.includes('=') && number === value) ||
        (operator.startsWith('>') && number > value) ||
        (operator.startsWith('<') && number < value)
      );
    }
    case 'flag':
      return record.flags[condition.flag] ?? false;
  }
}

const isOf = ({ lexeme }: Place, { counted, others, isPrefix }: Slot): boolean =>
  isPrefix ? lexeme.startsWith(counted[0]!) : counted.includes(lexeme) || others.includes(lexeme);

const isIn = ({ isInTitle }: Place, field: 'title' | 'text' | null): boolean =>
  field === null || isInTitle === (field === 'title');
