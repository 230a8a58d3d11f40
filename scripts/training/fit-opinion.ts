import { extractFeatures } from '../../src/enrichment/sentiment/features.js';
import { Lexicon } from '../../src/enrichment/sentiment/lexicon.js';
import { LinearModel, softmax } from '../../src/enrichment/sentiment/linear-model.js';
import { OPINION_SIGNS, opinionSigns } from '../../src/enrichment/sentiment/opinion.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { tokenize } from '../../src/enrichment/text/tokens.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';
import { assignFolds, FOLDS } from './evaluate-sentiment.js';
import { buildLexicon } from './lexicon.js';
import { readShippedSets, trainSentiment } from './sentiment-corpus.js';

/** The rated sets and the weight of a text of each; tweets come closest to what people write on a platform. */
const RATED: Readonly<Record<string, number>> = {
  'vader_tweets.dev': 12,
  'vader_amazon.dev': 1,
  'vader_movies.dev': 0.5,
  'vader_nyt.dev': 0.7,
};
const SETS = Object.keys(RATED);
/** The mean rating that corresponds to a score of 1. */
const FULL_RATING = 2.6;
const RIDGE = 3;

/** Weights of the opinion's signs by least squares, from probabilities of models that were not trained on the text. */
export function fitOpinion(folder: string): Record<string, number> {
  const rows = readShippedSets(folder);
  const foldOf = assignFolds(rows);
  const table = buildLexicon();
  const size = OPINION_SIGNS.length + SETS.length;
  const system = Array.from({ length: size }, (_row, at) => {
    const row = new Float64Array(size + 1);
    row[at] = RIDGE;
    return row;
  });
  for (let fold = 0; fold < FOLDS; fold++) {
    const training = rows.filter((_row, at) => foldOf[at] !== fold);
    const model = new LinearModel(trainSentiment(training, table));
    const lexicon = new Lexicon(table);
    const words = new WordTable();
    rows.forEach((row, index) => {
      const set = SETS.indexOf(row.set);
      if (foldOf[index] !== fold || set < 0) return;
      const tokens = tokenize(plainText(row.text), words);
      const features = extractFeatures(tokens, lexicon.describe(tokens));
      const signs = opinionSigns(softmax(model.logits(features)), features.dense);
      // Each set has its own mean, which a score must not learn.
      const inputs = [...signs, ...SETS.map((_name, at) => (at === set ? 1 : 0))];
      addRow(system, inputs, row.rating! / FULL_RATING, RATED[row.set]!);
    });
  }
  const solution = solve(system);
  return Object.fromEntries(OPINION_SIGNS.map((name, at) => [name, Number(solution[at]!.toFixed(3))]));
}

/** Adds one weighted observation to the normal equations; the last column is the right-hand side. */
function addRow(system: Float64Array[], inputs: readonly number[], target: number, weight: number): void {
  const row = [...inputs, target];
  inputs.forEach((input, at) =>
    row.forEach((value, column) => (system[at]![column]! += weight * input * value)),
  );
}

/** Gaussian elimination; the ridge term keeps every pivot away from zero. */
function solve(system: readonly Float64Array[]): number[] {
  const size = system.length;
  system.forEach((pivot, at) => {
    for (let below = at + 1; below < size; below++) {
      const factor = system[below]![at]! / pivot[at]!;
      for (let column = at; column <= size; column++) system[below]![column]! -= factor * pivot[column]!;
    }
  });
  const solution = new Array<number>(size).fill(0);
  for (let at = size - 1; at >= 0; at--) {
    let rest = system[at]![size]!;
    for (let column = at + 1; column < size; column++) rest -= system[at]![column]! * solution[column]!;
    solution[at] = rest / system[at]![at]!;
  }
  return solution;
}
