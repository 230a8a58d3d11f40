import { probability } from '../../src/common/probability.js';
import { extractFeatures, WORD_SLOTS } from '../../src/enrichment/sentiment/features.js';
import { GRAM_SLOTS, gramSlots, Lexicon, type LexiconFile } from '../../src/enrichment/sentiment/lexicon.js';
import { encodeWeights, GRAM_SCALE } from '../../src/enrichment/sentiment/linear-model.js';
import { SUMMARY_SIZE } from '../../src/enrichment/sentiment/summary.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { tokenize } from '../../src/enrichment/text/tokens.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';
import { readLabelled, type Labelled } from './dataset.js';
import { trainSoftmax, type Example } from './softmax.js';

/**
 * The sets whose statistics may be part of the weights (licences: docs/model-card.md), and the weight of a text of
 * each, without which the large set would drown out the small ones.
 */
const SHIPPED_SETS: Readonly<Record<string, number>> = {
  'goemotions.train': 1,
  'goemotions.dev': 1,
  'vader_tweets.dev': 2,
  'vader_amazon.dev': 1,
  'vader_movies.dev': 1,
  'vader_nyt.dev': 1,
  'stackoverflow.dev': 3,
};

const TRAINING = {
  epochs: 5,
  rate: 0.1,
  l2: 0,
  gramScale: GRAM_SCALE,
  denseScale: 1,
  seed: 1,
} as const;

/** Steepness of the curve from a mean rating to a probability. */
const RATING_SLOPE = 2;
/** Ratings at or beyond this count as positive or negative. */
const RATING_BAND = 0.5;

export interface WeightedText extends Labelled {
  set: string;
  weight: number;
}

export function readShippedSets(folder: string): WeightedText[] {
  return Object.entries(SHIPPED_SETS).flatMap(([set, weight]) =>
    readLabelled(folder, set).map((row) => ({ ...row, set, weight })),
  );
}

/** Trains on `rows`; returns the weight file. */
export function trainSentiment(rows: readonly WeightedText[], lexicon: LexiconFile): Buffer {
  const words = new WordTable();
  const lists = new Lexicon(lexicon);
  const examples = rows.map((row) => toExample(row, row.weight, lists, words));
  const sizes = { wordSlots: WORD_SLOTS, gramSlots: GRAM_SLOTS, denseSize: SUMMARY_SIZE };
  return encodeWeights(trainSoftmax(examples, { ...TRAINING, ...sizes }));
}

function toExample(row: Labelled, weight: number, lexicon: Lexicon, words: WordTable): Example {
  const tokens = tokenize(plainText(row.text), words);
  const features = extractFeatures(tokens, lexicon.describe(tokens));
  const grams = features.words.flatMap((word) => gramSlots(word.text));
  return {
    slots: Int32Array.from(features.slots),
    grams: Int32Array.from(grams),
    dense: Float32Array.from(features.dense),
    target: row.rating === null ? oneHot(row.label) : fromRating(row.rating),
    weight,
  };
}

function oneHot(label: number): Float32Array {
  const target = new Float32Array(3);
  target[label] = 1;
  return target;
}

/** Soft labels: a text rated 0.4 is half positive, one rated 3 entirely. */
function fromRating(rating: number): Float32Array {
  const positive = probability(RATING_SLOPE * (rating - RATING_BAND));
  const negative = probability(RATING_SLOPE * (-rating - RATING_BAND));
  const sum = Math.max(1, positive + negative);
  return Float32Array.of(positive / sum, 1 - (positive + negative) / sum, negative / sum);
}
