import { coOccurrence, DIMENSIONS, placeOf } from './co-occurrence.js';
import { fitDense, fitSparse, valueAt } from './logistic.js';
import { queryTest, type QueryWords, standing } from './query-standing.js';
import { RelevanceModel } from './relevance-model.js';
import {
  bareWord,
  type Counts,
  dot,
  inverseFrequencies,
  PART_BUCKETS,
  partCounts,
  weighted,
  WORD_BUCKETS,
  wordBucket,
  wordCounts,
  wordsOf,
} from './text-reader.js';

/** The texts that an alert's relevance is learned from. */
export interface Lessons {
  query: QueryWords;
  /** Texts of matches. */
  matched: readonly string[];
  /** Texts of the workspace that do not match. */
  others: readonly string[];
}

/** The decision on each match: 1 for kept, 0 for dismissed, null for none. */
export type Decisions = readonly (0 | 1 | null)[];

/** What is known of texts before any decision. */
export interface Survey {
  query: QueryWords;
  /** By bucket of words. */
  rarity: Float64Array;
  directions: Float64Array;
  sizes: Float64Array;
  leanings: Float64Array;
  common: ReadonlySet<number>;
  /** By bucket of parts. */
  partRarity: Float64Array;
  /** Of `standing` over all matches. */
  spread: { mean: number; deviation: number }[];
  /** Of each match: its place among the texts, then its standing in standard deviations. */
  rows: Float64Array[];
  partRows: Counts[];
}

/** The weight of each value of `standing`, in its standard deviations, that labelled events teach. */
export const GENERAL: readonly number[] = [0.3, 0.24, 0.09, 0.1, -0.1, 0.09, 0.12, -0.08, 0.22];

const RARE = 3;
const COMMON_WORDS = 40;
const LEANING_SMOOTHING = 5;
/** Words that are together in few texts have short directions, so the length of a text's sum of them is understated. */
const LENGTH = 1.4;
const STANDING_PRECISION = { balanced: 20, plain: 33 };
const PARTS_PRECISION = 0.1;
/** How a sum of logits becomes a calibrated one, learned from labelled events. */
const CALIBRATION = { slope: 1.6, intercept: 0.3 };

/** The precision of each direction grows with the number of decisions, which are alike when they are many. */
const directionPrecision = (decisions: number): number => 0.2 * (decisions / 20) ** 0.75;

/** Reads the texts. */
export function survey({ query, matched, others }: Lessons): Survey {
  const isQueryWord = queryTest(query);
  const words = [...matched, ...others].map(wordsOf);
  const counts = words.map(wordCounts);
  const rarity = inverseFrequencies(counts, WORD_BUCKETS, RARE);
  const { directions, lengths } = coOccurrence(counts.map((text) => weighted(text, rarity)));
  const sizes = lengths.map((length, bucket) => LENGTH * length * rarity[bucket]!);
  const leanings = leaningsOf(words, matched.length, isQueryWord);
  const common = commonest(counts);
  const standings = matched.map((text, at) =>
    standing(text, words[at]!, isQueryWord, leanings, (bucket) => common.has(bucket)),
  );
  const spread = spreadOf(standings);
  const rows = standings.map((values, at) => {
    const place = placeOf(scaledBy(counts[at]!, rarity), directions);
    const length = lengthBy(counts[at]!, sizes);
    return Float64Array.of(
      ...place.map((value) => value / length),
      ...values.map((value, one) => (value - spread[one]!.mean) / spread[one]!.deviation),
    );
  });
  const parts = words.slice(0, matched.length).map(partCounts);
  const partRarity = inverseFrequencies(parts, PART_BUCKETS, 1);
  const partRows = parts.map((text) => weighted(text, partRarity));
  return { query, rarity, directions, sizes, leanings, common, partRarity, spread, rows, partRows };
}

/** Learns a model. The same texts and decisions give the same model. Needs decisions of both kinds. */
export function learnRelevance(known: Survey, decisions: Decisions): RelevanceModel {
  const { rows, partRows } = known;
  const decided = decisions.flatMap((decision, at) => (decision === null ? [] : [at]));
  const targets = decided.map((at) => decisions[at]!);
  const weights = targets.map(() => 1);
  const dense = fitBoth(
    decided.map((at) => rows[at]!),
    targets,
  );
  const parts = decided.map((at) => partRows[at]!);
  const sparse = fitSparse({ rows: parts, targets, weights }, PART_BUCKETS, PARTS_PRECISION);
  const open = decisions.flatMap((decision, at) => (decision === null ? [at] : []));
  const sample = open.length > 0 ? open : decided;
  // The plain fit orders matches best; the balanced one has the border, whatever came first.
  const shift = sample.map(
    (at) => valueAt(rows[at]!, dense.balanced) - valueAt(rows[at]!, dense.plain) - dot(partRows[at]!, sparse),
  );
  const place = shift.reduce((a, b) => a + b, 0) / sample.length;
  return assembled(known, dense.plain, sparse, place);
}

/** The model of both fits, calibrated; `place` is added to the sum of their logits. */
function assembled(known: Survey, dense: Float64Array, sparse: Float64Array, place: number): RelevanceModel {
  const { slope, intercept } = CALIBRATION;
  const fitted = dense.map((value) => value * slope);
  const ofStanding = known.spread.map(({ deviation }, one) => fitted[DIMENSIONS + one]! / deviation);
  const bias = known.spread.reduce(
    (sum, { mean }, one) => sum - mean * ofStanding[one]!,
    fitted.at(-1)! + slope * place + intercept,
  );
  const together = known.rarity.map((factor, bucket) => {
    let sum = 0;
    for (let one = 0; one < DIMENSIONS; one += 1)
      sum += known.directions[bucket * DIMENSIONS + one]! * fitted[one]!;
    return factor * sum;
  });
  return packed(known.query, bias, ofStanding, {
    together,
    lengths: known.sizes,
    leanings: known.leanings,
    common: known.common,
    parts: sparse.map((value) => value * slope),
    rarities: known.partRarity,
  });
}

/** The fit to the decisions as they are, and the fit in which both kinds weigh the same. */
function fitBoth(
  rows: readonly Float64Array[],
  targets: readonly number[],
): Record<'plain' | 'balanced', Float64Array> {
  const kept = targets.reduce((a, b) => a + b, 0);
  const half = targets.length / 2;
  const fit = (weights: readonly number[], precision: number): Float64Array =>
    fitDense({ rows, targets, weights }, [
      ...Array.from({ length: DIMENSIONS }, () => ({
        mean: 0,
        precision: directionPrecision(targets.length),
      })),
      ...GENERAL.map((mean) => ({ mean, precision })),
    ]);
  return {
    plain: fit(
      targets.map(() => 1),
      STANDING_PRECISION.plain,
    ),
    balanced: fit(
      targets.map((target) => half / (target === 1 ? kept : targets.length - kept)),
      STANDING_PRECISION.balanced,
    ),
  };
}

/** By bucket, the logarithm of how much more often a word is in the first `matched` texts than in the others. */
function leaningsOf(
  texts: readonly (readonly string[])[],
  matched: number,
  isQueryWord: (word: string) => boolean,
): Float64Array {
  const [inside, outside] = [new Float64Array(WORD_BUCKETS), new Float64Array(WORD_BUCKETS)];
  texts.forEach((words, at) => {
    const counted = at < matched ? inside : outside;
    const others = words.filter((word) => !isQueryWord(word)).map((word) => wordBucket(bareWord(word)));
    for (const bucket of new Set(others)) counted[bucket]! += 1;
  });
  const share = matched / texts.length;
  const smoothed = (count: number, total: number, part: number): number =>
    Math.log((count + LEANING_SMOOTHING * part) / (total + LEANING_SMOOTHING));
  return inside.map((count, bucket) =>
    count + outside[bucket]! < RARE || matched === texts.length
      ? 0
      : smoothed(count, matched, share) - smoothed(outside[bucket]!, texts.length - matched, 1 - share),
  );
}

/** The buckets of the commonest words. */
function commonest(texts: readonly Counts[]): ReadonlySet<number> {
  const found = new Map<number, number>();
  for (const { buckets } of texts)
    for (const bucket of buckets) found.set(bucket, (found.get(bucket) ?? 0) + 1);
  const sorted = [...found].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return new Set(sorted.slice(0, COMMON_WORDS).map(([bucket]) => bucket));
}

const scaledBy = ({ buckets, weights }: Counts, factors: Float64Array): Counts => ({
  buckets,
  weights: weights.map((weight, at) => weight * factors[buckets[at]!]!),
});

function lengthBy({ buckets, weights }: Counts, sizes: Float64Array): number {
  return Math.sqrt(weights.reduce((sum, weight, at) => sum + (weight * sizes[buckets[at]!]!) ** 2, 0)) || 1;
}

/** The mean and standard deviation of each value. */
function spreadOf(rows: readonly Float64Array[]): { mean: number; deviation: number }[] {
  return Array.from(rows[0]!, (_, one) => {
    const mean = rows.reduce((sum, row) => sum + row[one]!, 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + (row[one]! - mean) ** 2, 0) / rows.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
}

function packed(
  query: QueryWords,
  bias: number,
  ofStanding: number[],
  learned: Record<'together' | 'lengths' | 'leanings' | 'parts' | 'rarities', Float64Array> & {
    common: ReadonlySet<number>;
  },
): RelevanceModel {
  const common = new Uint8Array(WORD_BUCKETS / 8);
  for (const bucket of learned.common) common[bucket >> 3]! |= 1 << (bucket & 7);
  const arrays = {
    together: inBytes(learned.together, Int8Array, 127),
    lengths: inBytes(learned.lengths, Uint8Array, 255),
    leanings: inBytes(learned.leanings, Int8Array, 127),
    parts: inBytes(learned.parts, Int8Array, 127),
    rarities: inBytes(learned.rarities, Uint8Array, 255),
  };
  const scales = Object.fromEntries(Object.entries(arrays).map(([name, { scale }]) => [name, scale]));
  return new RelevanceModel(
    { query, bias, standing: ofStanding, scales: scales as Record<keyof typeof arrays, number> },
    {
      together: arrays.together.bytes,
      lengths: arrays.lengths.bytes,
      leanings: arrays.leanings.bytes,
      common,
      parts: arrays.parts.bytes,
      rarities: arrays.rarities.bytes,
    },
  );
}

/** Values as parts of the largest absolute one, which becomes `largest`. */
function inBytes<Bytes>(
  values: Float64Array,
  type: { from(values: ArrayLike<number>): Bytes },
  largest: number,
): { bytes: Bytes; scale: number } {
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return { bytes: type.from(values.map((value) => Math.round((value / scale) * largest))), scale };
}
