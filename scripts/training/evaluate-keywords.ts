import { RANKING_FEATURES } from '../../src/enrichment/keywords/ranking-features.js';
import { selectKeywords } from '../../src/enrichment/keywords/keyword-extractor.js';
import { readKeywordCorpus, type KeywordDocument } from './keyword-corpus.js';
import { KEYPHRASE_NAMES, normalPhrase, trainRanking } from './keyphrases.js';
import { interval, phraseF1 } from './quality.js';

const FOLDS = 5;
const PLACES = 4;

/**
 * F1 of each set by cross-validation. Phrases are compared by their Porter stems, and F1 is averaged over documents.
 */
export function evaluateKeywords(folder: string): object {
  const { documents } = readKeywordCorpus(folder);
  const scores = new Map<string, number[]>(KEYPHRASE_NAMES.map((name) => [name, []]));
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = trainRanking(
      documents.filter((_one, at) => at % FOLDS !== fold).map((one) => one.example),
    );
    documents.forEach((document, at) => {
      if (at % FOLDS === fold) scores.get(document.from)!.push(evaluate(document, weights));
    });
  }
  const sets = Object.fromEntries([...scores].map(([name, values]) => [name, figures(values)]));
  const all = [...scores.values()].map(mean);
  return { ...sets, mean: Number(mean(all).toFixed(PLACES)) };
}

function evaluate({ set, example, keys }: KeywordDocument, weights: Float32Array): number {
  const ranked = [...set.candidates.values()].map((candidate, at) => {
    let score = 0;
    for (let slot = 0; slot < RANKING_FEATURES; slot++) score += weights[example.slots[at]![slot]!]!;
    return { candidate, score };
  });
  ranked.sort((a, b) => b.score - a.score || a.candidate.first - b.candidate.first);
  const given = new Set(selectKeywords(ranked, set.length).map(normalPhrase));
  return phraseF1([...given], new Set(keys.map(normalPhrase)));
}

function figures(values: readonly number[]): object {
  const [low, high] = interval(values, mean);
  return {
    documents: values.length,
    f1: Number(mean(values).toFixed(PLACES)),
    interval: [Number(low.toFixed(PLACES)), Number(high.toFixed(PLACES))],
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
