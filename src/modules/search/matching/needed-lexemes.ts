import type { Condition, Slot } from '../query/condition.js';

interface Needed {
  slots: readonly Slot[];
  /** Estimated share of texts that have one of the slots. */
  cost: number;
}

/** Words of up to four letters occur in many texts; every further letter makes a word rarer by about a third. */
const COMMON_LENGTH = 4;
const RARER = 0.7;

/**
 * Words of which a record needs at least one to match a condition, chosen so that few records have any; null when a
 * record can match without words.
 */
export function neededLexemes(condition: Condition): readonly Slot[] | null {
  return neededBy(condition)?.slots ?? null;
}

function neededBy(condition: Condition): Needed | null {
  switch (condition.kind) {
    case 'none':
      return { slots: [], cost: 0 };
    case 'phrase':
    case 'near':
      return condition.slots.map((slot): Needed => ({ slots: [slot], cost: costOf(slot) })).reduce(cheaper);
    case 'and': {
      const all = condition.operands.map(neededBy).filter((one) => one !== null);
      return all.length === 0 ? null : all.reduce(cheaper);
    }
    case 'or': {
      const all = condition.operands.map(neededBy);
      if (all.includes(null)) return null;
      return {
        slots: all.flatMap((one) => one!.slots),
        cost: all.reduce((sum, one) => sum + one!.cost, 0),
      };
    }
    default:
      return null;
  }
}

const cheaper = (a: Needed, b: Needed): Needed => (b.cost < a.cost ? b : a);

function costOf({ counted, isPrefix }: Slot): number {
  const length = counted[0]!.length - (isPrefix ? 1 : 0);
  return RARER ** Math.max(0, length - COMMON_LENGTH);
}
