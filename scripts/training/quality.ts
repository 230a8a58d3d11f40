import { type SentimentLabel } from '../../src/enrichment/enrichment.js';
import { randomFrom } from './softmax.js';

/** One labelled text and its predicted label and score. */
export interface Evaluated {
  gold: SentimentLabel;
  label: SentimentLabel;
  /** Mean of the raters; null if the set has only labels. */
  rating: number | null;
  score: number;
}

const LABELS: readonly SentimentLabel[] = ['positive', 'neutral', 'negative'];

/** Mean of the F1 of the three classes. */
export function macroF1(evaluated: readonly Evaluated[]): number {
  let sum = 0;
  for (const label of LABELS) {
    let both = 0;
    let either = 0;
    for (const one of evaluated) {
      if (one.gold === label && one.label === label) both++;
      if (one.gold === label) either++;
      if (one.label === label) either++;
    }
    sum += either > 0 ? (2 * both) / either : 0;
  }
  return sum / LABELS.length;
}

/** Pearson's r of score and rating. */
export function correlation(evaluated: readonly Evaluated[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const scores = evaluated.map((one) => one.score);
  const ratings = evaluated.map((one) => one.rating ?? 0);
  const [x, y] = [mean(scores), mean(ratings)];
  let [both, first, second] = [0, 0, 0];
  for (let at = 0; at < evaluated.length; at++) {
    const dx = scores[at]! - x;
    const dy = ratings[at]! - y;
    both += dx * dy;
    first += dx * dx;
    second += dy * dy;
  }
  return both / Math.sqrt(first * second);
}

const RESAMPLES = 300;

/** 95 % bootstrap interval of the figure on resampled items. */
export function interval<T>(items: readonly T[], figure: (sample: readonly T[]) => number): [number, number] {
  const random = randomFrom(11);
  const figures: number[] = [];
  for (let round = 0; round < RESAMPLES; round++) {
    figures.push(figure(items.map(() => items[Math.floor(random() * items.length)]!)));
  }
  figures.sort((a, b) => a - b);
  return [figures[Math.floor(RESAMPLES * 0.025)]!, figures[Math.floor(RESAMPLES * 0.975)]!];
}

/** F1 of the first ten phrases of one document; precision is over the returned phrases. */
export function phraseF1(given: readonly string[], gold: ReadonlySet<string>): number {
  if (given.length === 0 || gold.size === 0) return 0;
  const hits = given.filter((phrase) => gold.has(phrase)).length;
  return (2 * hits) / (given.length + gold.size);
}
