import type { WorstFunction } from '../../scripts/bench/support/worst-functions.js';
import { WORST_TEXTS } from '../../scripts/bench/support/worst-texts.js';
import { isSteep } from './steep-work.js';

/** As long as the longest post of the platforms. */
const LENGTH = 40_000;

/** The name of the first hostile text for which work grows much faster than the text; null if there is none. */
export async function steepText(work: (text: string) => unknown): Promise<string | null> {
  for (const { name, ofLength } of WORST_TEXTS)
    if (await isSteep((length) => work(ofLength(length)), LENGTH)) return name;
  return null;
}

/** As {@link steepText}, of a function's work alone. */
export async function steepTextOf({ longest, prepare }: WorstFunction): Promise<string | null> {
  for (const { name, ofLength } of WORST_TEXTS) {
    const works = new Map<number, () => unknown>();
    for (const length of [longest, longest / 2, longest / 4])
      works.set(length, await prepare(ofLength(length)));
    if (await isSteep((length) => works.get(length)!(), longest)) return name;
  }
  return null;
}
