import type { WorstFunction } from '../../scripts/bench/support/worst-functions.js';
import { filled, WORST_TEXTS } from '../../scripts/bench/support/worst-texts.js';
import { timeOf } from './growth.js';
import { isQuick, isSteep } from './steep-work.js';

/** As long as the longest post of the platforms. */
const LENGTH = 40_000;
/** Work that takes longer than this many times the work on plain words of the same length may be steep. */
const MOST_FOR_PLAIN_WORDS = 3;

/**
 * What is steep in work on long texts: plain words, or the name of the first hostile text for which work grows much
 * faster than the text; null if nothing is.
 */
export async function steepText(work: (text: string) => unknown): Promise<string | null> {
  const plain = (length: number): unknown => work(filled('', 'word ', '', length));
  if (await isSteep(plain, LENGTH)) return 'plain words';
  const least = MOST_FOR_PLAIN_WORDS * Math.min(await timeOf(plain, LENGTH), await timeOf(plain, LENGTH));
  for (const { name, ofLength } of WORST_TEXTS)
    if (await isSteep((length) => work(ofLength(length)), LENGTH, least)) return name;
  return null;
}

/** As {@link steepText}, of a function's work alone. */
export async function steepTextOf({ longest, prepare }: WorstFunction): Promise<string | null> {
  for (const { name, ofLength } of WORST_TEXTS) {
    const whole = await prepare(ofLength(longest));
    // The others are prepared only where they are needed, because that takes longer than most of the work.
    if (await isQuick(whole)) continue;
    const works = new Map([[longest, whole]]);
    for (const length of [longest / 2, longest / 4]) works.set(length, await prepare(ofLength(length)));
    if (await isSteep((length) => works.get(length)!(), longest)) return name;
  }
  return null;
}
