import { wordRarity } from '../../enrichment/keywords/word-rarity.js';
import type { Condition, Slot } from '../query/condition.js';

/** A word without which a record does not match, or not for this reason. */
export interface Anchor {
  slot: Slot;
  /** Further conditions besides the word; null when the word is enough. */
  rest: Condition | null;
}

interface Anchors {
  anchors: readonly Anchor[];
  /** Estimated share of texts that have one of the words. */
  cost: number;
}

/** Words of up to four letters occur in many texts; every further letter makes a word rarer by about a third. */
const COMMON_LENGTH = 4;
const RARER = 0.7;
/** The length decides between words of which the collection knows the same. */
const SHARE_OF_LENGTH = 1e-5;

/**
 * Words of which a record that matches a condition has at least one whose rest holds, chosen so that few records have
 * any; null when a record can match without words. Evaluating the distinct rests reads no part of the condition more
 * often than twice.
 */
export function anchorsOf(condition: Condition): readonly Anchor[] | null {
  return anchored(condition)?.anchors ?? null;
}

function anchored(condition: Condition): Anchors | null {
  switch (condition.kind) {
    case 'none':
      return { anchors: [], cost: 0 };
    case 'phrase':
    case 'near': {
      const isWord = condition.slots.length === 1 && condition.field === null;
      const [rarest] = condition.slots
        .map((slot) => ({ slot, cost: costOf(slot) }))
        .sort((a, b) => a.cost - b.cost);
      const { slot, cost } = rarest!;
      return { anchors: [{ slot, rest: isWord ? null : condition }], cost };
    }
    case 'and':
      return anchoredInOne(condition.operands, condition);
    case 'or': {
      const all = condition.operands.map(anchored).filter((one) => one !== null);
      if (all.length < condition.operands.length) return null;
      return {
        anchors: all.flatMap(({ anchors }) => anchors),
        cost: all.reduce((sum, { cost }) => sum + cost, 0),
      };
    }
    default:
      return null;
  }
}

/** The anchors of the operand of `and` that is true of the fewest records. */
function anchoredInOne(operands: readonly Condition[], whole: Condition): Anchors | null {
  const [cheapest] = operands
    .flatMap((operand) => {
      const found = anchored(operand);
      return found === null ? [] : [{ operand, ...found }];
    })
    .sort((a, b) => a.cost - b.cost);
  if (cheapest === undefined) return null;
  const isDecided = cheapest.anchors.every(({ rest }) => rest === null);
  const rest = isDecided ? allOf(operands.filter((one) => one !== cheapest.operand)) : whole;
  return { anchors: cheapest.anchors.map(({ slot }) => ({ slot, rest })), cost: cheapest.cost };
}

function allOf(operands: readonly Condition[]): Condition | null {
  if (operands.length === 0) return null;
  return operands.length === 1 ? operands[0]! : { kind: 'and', operands };
}

function costOf({ counted, isPrefix }: Slot): number {
  const text = counted[0]!;
  const byLength = RARER ** Math.max(0, text.length - COMMON_LENGTH);
  return isPrefix ? byLength : 2 ** -wordRarity(text) + SHARE_OF_LENGTH * byLength;
}
