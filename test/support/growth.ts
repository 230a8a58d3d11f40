import { computedMs } from './processor-time.js';

/** Runs of each size: some at least, more while the least times still seem to grow too fast. */
const LEAST_RUNS = 5;
const MOST_RUNS = 25;
/** Largest growth that is taken for linear work without further runs. */
const LINEAR = 2.3;
/** After so many runs, so much growth is no disturbance. */
const CERTAIN_RUNS = 10;
const CERTAIN = 3.5;
/** Processor time of the smallest size in each run, by repetition; less is mostly noise. */
const LEAST_MS = 20;

/**
 * The largest factor by which the processor time of `work` grows when its size doubles, over `size`, twice and four times
 * `size`: about 2 for linear work, 4 for quadratic work. The runs of the sizes alternate and their least times are compared,
 * because compilation, garbage collection and a busy machine only add time. Ends early at a growth of `enough`.
 */
export async function growthOf(
  work: (size: number) => unknown,
  size: number,
  enough = LINEAR,
): Promise<number> {
  const sizes = [size, 2 * size, 4 * size];
  const repetitions = await repetitionsOf(work, size);
  const least = sizes.map(() => Infinity);
  let growth = Infinity;
  const isKnown = (runs: number): boolean =>
    (runs >= LEAST_RUNS && growth <= enough) ||
    (runs >= CERTAIN_RUNS && growth > CERTAIN) ||
    runs >= MOST_RUNS;
  for (let runs = 0; !isKnown(runs); runs += 1) {
    for (const [index, one] of sizes.entries())
      least[index] = Math.min(least[index]!, await timeOf(work, one, repetitions));
    growth = Math.max(least[1]! / least[0]!, least[2]! / least[1]!);
  }
  return growth;
}

/** How often the work is repeated to take at least {@link LEAST_MS}. */
async function repetitionsOf(work: (size: number) => unknown, size: number): Promise<number> {
  for (let repetitions = 1; ; repetitions *= 2)
    if ((await timeOf(work, size, repetitions)) >= LEAST_MS) return repetitions;
}

/** Milliseconds of processor time of the event loop that so many runs of the work take together. */
export async function timeOf(
  work: (size: number) => unknown,
  size: number,
  repetitions = 1,
): Promise<number> {
  const before = computedMs();
  for (let done = 0; done < repetitions; done += 1) await work(size);
  return computedMs() - before;
}
