import { type Condition, conditionOfQuery, type Slot } from './condition.js';
import { parseQuery } from './parse-query.js';
import type { TextField } from './query-tree.js';

/** A word of a query that ranks. */
export interface QueryWord extends Slot {
  /** Where it counts; null for everywhere. */
  field: TextField | null;
}

/** Maximum number of words that rank; further words of a long query only match. */
export const MOST_RANKED_WORDS = 32;
/** Queries of the same text come again with every page. */
const parsed = new Map<string, Condition>();
const MOST_PARSED = 200;

/** The condition of `q`. */
export function conditionOfText(q: string): Condition {
  const known = parsed.get(q);
  if (known !== undefined) return known;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  const condition = conditionOfQuery(parseQuery(q).tree);
  parsed.set(q, condition);
  return condition;
}

/** The distinct words of `q` that rank its matches: those that are not excluded. */
export function rankedWords(q: string | undefined): QueryWord[] {
  const words = new Map<string, QueryWord>();
  const add = (condition: Condition): void => {
    if (condition.kind === 'and' || condition.kind === 'or') condition.operands.forEach(add);
    else if (condition.kind === 'phrase' || condition.kind === 'near')
      for (const slot of condition.slots) {
        const word = { ...slot, field: condition.field };
        words.set(JSON.stringify(word), word);
      }
  };
  if (q !== undefined) add(conditionOfText(q));
  return [...words.values()].slice(0, MOST_RANKED_WORDS);
}
