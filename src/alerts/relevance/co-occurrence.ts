import { orthonormalize } from './matrices.js';
import { type Counts, WORD_BUCKETS } from './text-reader.js';

/** Number of directions. */
export const DIMENSIONS = 100;
const ITERATIONS = 3;

/** What co-occurrence says of buckets: for each its direction in {@link DIMENSIONS} numbers, and the length of that. */
export interface CoOccurrence {
  directions: Float64Array;
  lengths: Float64Array;
}

/**
 * The directions in which the weighted words of texts vary most, by power iteration from a fixed start, so that the same
 * texts give the same result. Words that stand together have similar directions.
 */
export function coOccurrence(texts: readonly Counts[]): CoOccurrence {
  const random = generator(7);
  let directions = new Float64Array(WORD_BUCKETS * DIMENSIONS);
  // Some more buckets than those of the texts, so that there are more rows than columns.
  const used = new Set(Array.from({ length: 2 * DIMENSIONS }, (_, bucket) => bucket));
  for (const { buckets } of texts) for (const bucket of buckets) used.add(bucket);
  for (const bucket of used)
    for (let one = 0; one < DIMENSIONS; one += 1)
      directions[bucket * DIMENSIONS + one] = random() + random() + random() - 1.5;
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    orthonormalize(directions, DIMENSIONS, iteration === 0 ? 1 : 2);
    const next = new Float64Array(directions.length);
    for (const text of texts) {
      const place = placeOf(text, directions);
      text.buckets.forEach((bucket, at) => {
        const [start, weight] = [bucket * DIMENSIONS, text.weights[at]!];
        for (let one = 0; one < DIMENSIONS; one += 1) next[start + one]! += weight * place[one]!;
      });
    }
    directions = next;
  }
  orthonormalize(directions, DIMENSIONS, 2);
  const lengths = new Float64Array(WORD_BUCKETS);
  for (let bucket = 0; bucket < WORD_BUCKETS; bucket += 1) {
    const direction = directions.subarray(bucket * DIMENSIONS, (bucket + 1) * DIMENSIONS);
    lengths[bucket] = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0));
  }
  return { directions, lengths };
}

/** The sum of the directions of a text's words by their weights. */
export function placeOf({ buckets, weights }: Counts, directions: Float64Array): Float64Array {
  const place = new Float64Array(DIMENSIONS);
  for (let at = 0; at < buckets.length; at += 1) {
    const [start, weight] = [buckets[at]! * DIMENSIONS, weights[at]!];
    if (weight !== 0)
      for (let one = 0; one < DIMENSIONS; one += 1) place[one]! += weight * directions[start + one]!;
  }
  return place;
}

/** Pseudorandom numbers from 0 to 1 by a linear congruence. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
