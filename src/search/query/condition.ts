import { distinctBy } from '../../common/collections.js';
import { lexemeOfForm, lexemesToFind } from '../../text/lexemes.js';
import { type QueryWord, wordsToFind } from '../../text/query-words.js';
import type { BoundField, Flag, Operator, QueryNode, TextField, ValueField } from './query-tree.js';

/** The lexemes that find one word; any of them. */
export interface Slot {
  /** Of an occurrence of the word in a text of the default language, exactly one. */
  counted: readonly string[];
  /** In texts of other languages. */
  others: readonly string[];
  /** Whether longer lexemes that begin so are found, too; then `counted` has one element. */
  isPrefix: boolean;
}

/** Words at fixed distances: a single word, or a phrase. */
export interface PhraseCondition {
  kind: 'phrase';
  slots: readonly Slot[];
  /** Position of each slot relative to the first; ascending from 0. */
  positions: readonly number[];
  field: TextField | null;
}

/** Words in any order of which the first and the last are at most `distance` positions apart. */
export interface NearCondition {
  kind: 'near';
  /** Each word once. */
  slots: readonly Slot[];
  distance: number;
  field: TextField | null;
}

/**
 * A query with its words as lexemes. Statements, segments and the matcher of alerts evaluate the same condition, so that
 * they find the same records.
 */
export type Condition =
  | { kind: 'all' }
  | { kind: 'none' }
  | PhraseCondition
  | NearCondition
  | { kind: 'value'; field: ValueField; value: string; isPrefix: boolean }
  | { kind: 'bound'; field: BoundField; operator: Operator; value: number | string }
  | { kind: 'flag'; flag: Flag }
  | { kind: 'not'; operand: Condition }
  | { kind: 'and' | 'or'; operands: readonly Condition[] };

/** The condition of a query; a query without anything to search matches nothing. */
export function conditionOfQuery(node: QueryNode | null): Condition {
  if (node === null) return { kind: 'none' };
  switch (node.kind) {
    case 'words':
      return wordsCondition(node.text, node.isExact, node.isPrefix, node.field);
    case 'near': {
      const [words = []] = wordsToFind(node.text);
      const all = words.map((word) => slotOf(word, false, false));
      const slots = distinctBy(all, (slot) => JSON.stringify(slot));
      if (slots.length === 1) return { kind: 'phrase', slots, positions: [0], field: node.field };
      return { kind: 'near', slots, distance: node.distance, field: node.field };
    }
    case 'not':
      return { kind: 'not', operand: conditionOfQuery(node.operand) };
    case 'and':
    case 'or':
      return { kind: node.kind, operands: node.operands.map(conditionOfQuery) };
    default:
      return node;
  }
}

/** The condition of words side by side; for a prefix, the last word is found at the beginning of longer ones. */
export function wordsCondition(
  text: string,
  isExact: boolean,
  isPrefix: boolean,
  field: TextField | null,
): Condition {
  const ways = wordsToFind(text).map((words): PhraseCondition => {
    const last = words.length - 1;
    const slots = words.map((word, index) => slotOf(word, isExact, isPrefix && index === last));
    return { kind: 'phrase', slots, positions: words.map(({ position }) => position), field };
  });
  if (ways.length === 0) return { kind: 'none' };
  return ways.length === 1 ? ways[0]! : { kind: 'or', operands: ways };
}

function slotOf({ term, isPrefix }: QueryWord, isExact: boolean, beginsSo: boolean): Slot {
  const form = { counted: [lexemeOfForm(term)], others: [], isPrefix: isPrefix || beginsSo };
  return isExact || form.isPrefix ? form : { ...lexemesToFind(term), isPrefix: false };
}
