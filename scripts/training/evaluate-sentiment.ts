import { EnglishFilter } from '../../src/enrichment/sentiment/english-filter.js';
import { Lexicon } from '../../src/enrichment/sentiment/lexicon.js';
import { LinearModel } from '../../src/enrichment/sentiment/linear-model.js';
import { SentimentScorer } from '../../src/enrichment/sentiment/sentiment-scorer.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { tokenize } from '../../src/enrichment/text/tokens.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';
import { detect } from '../../src/text/language/detect-language.js';
import { CLASSES, readLabelled, type Labelled } from './dataset.js';
import { buildLanguages } from './languages.js';
import { buildLexicon } from './lexicon.js';
import { type Evaluated } from './quality.js';
import { readShippedSets, trainSentiment, type WeightedText } from './sentiment-corpus.js';

export const FOLDS = 5;
/** Neighbouring rows of a set come from one article or thread, so they stay in one fold. */
const BLOCKS_PER_FOLD = 8;
const TRAINED_ON = 'goemotions.train';
/** Never used for training. */
const OUTSIDE = 'semeval_tweets.dev';

/** Evaluates every development set with weights that were not trained on the text, quantised as in production. */
export function crossValidate(folder: string): Record<string, Evaluated[]> {
  const rows = readShippedSets(folder);
  const foldOf = assignFolds(rows);
  const evaluated: Record<string, Evaluated[]> = {};
  for (let fold = 0; fold < FOLDS; fold++) {
    const training = rows.filter((_row, at) => foldOf[at] !== fold);
    const evaluate = newEvaluator(training);
    rows.forEach((row, at) => {
      if (foldOf[at] === fold) (evaluated[row.set] ??= []).push(evaluate(row));
    });
    if (fold === 0) evaluated[OUTSIDE] = readLabelled(folder, OUTSIDE).map(evaluate);
  }
  return evaluated;
}

/** Fold of each row; -1 for rows used only for training. Within a fold, the rows of a set keep their order. */
export function assignFolds(rows: readonly WeightedText[]): number[] {
  const sizes = new Map<string, number>();
  for (const row of rows) sizes.set(row.set, (sizes.get(row.set) ?? 0) + 1);
  const seen = new Map<string, number>();
  return rows.map((row) => {
    if (row.set === TRAINED_ON) return -1;
    const at = seen.get(row.set) ?? 0;
    seen.set(row.set, at + 1);
    return Math.floor((at * FOLDS * BLOCKS_PER_FOLD) / sizes.get(row.set)!) % FOLDS;
  });
}

function newEvaluator(training: readonly WeightedText[]): (row: Labelled) => Evaluated {
  const table = buildLexicon();
  const gate = new EnglishFilter(
    buildLanguages(
      training.map((row) => row.text),
      Object.keys(table),
    ),
  );
  const scorer = new SentimentScorer(
    new Lexicon(table),
    gate,
    new LinearModel(trainSentiment(training, table)),
  );
  const words = new WordTable();
  return (row) => ({
    ...scorer.score([], tokenize(plainText(row.text), words), detect(row.text)),
    gold: CLASSES[row.label]!,
    rating: row.rating,
  });
}
