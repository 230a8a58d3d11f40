import type { Match } from './match.js';
import type { Range } from '../format/range.js';

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
      return joined('and', 'none', 'all', match.operands, rangeOf);
    case 'or':
      return joined('or', 'all', 'none', match.operands, rangeOf);
    default:
      return match;
  }
}

/** One operand of the kind `decisive` decides the whole; those of the kind `neutral` change nothing. */
function joined(
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
