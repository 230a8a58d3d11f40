import { encodeWeights } from '../../src/enrichment/sentiment/linear-model.js';
import { WORD_SLOTS } from '../../src/enrichment/sentiment/features.js';
import { GRAM_SLOTS, Lexicon, type LexiconFile } from '../../src/enrichment/sentiment/lexicon.js';
import { SUMMARY_SIZE } from '../../src/enrichment/sentiment/summary.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';
import { readLabelled, type Labelled } from './dataset.js';
import { toExample, TRAINING } from './examples.js';
import { trainSoftmax } from './softmax.js';

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
