import { growthOf, timeOf } from './growth.js';

/** Work on a long text that takes less processor time is not steep: every step for each pair of characters takes longer. */
export const LEAST_MS = 20;
/** Largest factor for four times the length, of one measurement that is confirmed: 4 for linear work, 16 for quadratic. */
const MOST_FOR_FOUR_TIMES = 8;
/** Largest factor for twice the length: 2 for linear work, 4 for quadratic work. */
const MOST_FOR_TWICE = 3;

/**
 * Whether work takes less processor time than so many milliseconds. Asks the clock first, since processor time is never
 * more, and takes longer to ask for than most work.
 */
export async function isQuick(work: () => unknown, leastMs = LEAST_MS): Promise<boolean> {
  const began = performance.now();
  await work();
  return performance.now() - began < leastMs || (await timeOf(work, 0)) < leastMs;
}

/**
 * Whether the processor time of work on a text grows much faster than the text. Work is repeated only where a first look
 * shows that it may be steep: one that takes `leastMs` at least.
 */
export async function isSteep(
  work: (length: number) => unknown,
  length: number,
  leastMs = LEAST_MS,
): Promise<boolean> {
  if (await isQuick(() => work(length), leastMs)) return false;
  const whole = await timeOf(work, length);
  if (whole < MOST_FOR_FOUR_TIMES * (await timeOf(work, length / 4))) return false;
  return (await growthOf(work, length / 4)) > MOST_FOR_TWICE;
}
