import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { probability } from '../../common/probability.js';

/** Rows of numbered words with a weight each, of length 1. */
export interface WeightedRows {
  rows: readonly Int32Array[];
  weights: readonly Float64Array[];
  /** Number of words. */
  size: number;
}

/** What a row is, from 0 to 1, and the rows that are learned from. */
interface Lesson {
  targets: ArrayLike<number>;
  used: readonly number[];
}

/** Shrinks weights to 0, so that a word in a few rows says little. */
const PRECISION = 1;
/** Enough for ranks and sums of probabilities to settle on some thousands of short texts. */
const STEPS = 60;

/** Weights by word of a logistic regression, and last its intercept, by accelerated gradients. */
export async function fitRows(
  { rows, weights, size }: WeightedRows,
  { targets, used }: Lesson,
  turn: EventLoopTurn,
): Promise<Float64Array> {
  const rate = 1 / (used.length / 4 + PRECISION);
  const [fitted, ahead] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  const gradient = new Float64Array(size + 1);
  let pace = 1;
  for (let step = 0; step < STEPS; step += 1) {
    if (turn.isOver) await turn.next();
    for (let at = 0; at < size; at += 1) gradient[at] = PRECISION * ahead[at]!;
    gradient[size] = 0;
    for (const row of used) {
      const [words, values] = [rows[row]!, weights[row]!];
      const error = probability(logitOf(words, values, ahead)) - targets[row]!;
      for (let at = 0; at < words.length; at += 1) gradient[words[at]!]! += error * values[at]!;
      gradient[size] += error;
    }
    const next = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
    const momentum = (pace - 1) / next;
    pace = next;
    for (let at = 0; at <= size; at += 1) {
      const value = ahead[at]! - rate * gradient[at]!;
      ahead[at] = value + momentum * (value - fitted[at]!);
      fitted[at] = value;
    }
  }
  return fitted;
}

/** The logit of a row. */
export function logitOf(words: Int32Array, values: Float64Array, fitted: Float64Array): number {
  let sum = fitted[fitted.length - 1]!;
  for (let at = 0; at < words.length; at += 1) sum += values[at]! * fitted[words[at]!]!;
  return sum;
}
