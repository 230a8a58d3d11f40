import type { ScriptWeights } from '../../src/text/language/language-model.js';
import type { LanguageExample } from './language-corpus.js';
import { randomFrom, shuffle } from './softmax.js';

const TRAINING = {
  epochs: 4,
  rate: 0.3,
  biasRate: 0.01,
  firstSquare: 0.1,
  smallestSlope: 1e-4,
  seed: 3,
} as const;

/** Multinomial logistic regression by AdaGrad over the features of each text, scaled by the root of their number. */
export function trainLanguages(
  examples: readonly LanguageExample[],
  slots: number,
  languages: number,
): ScriptWeights {
  const weights = new Float32Array(slots * languages);
  const squares = new Float32Array(slots * languages).fill(TRAINING.firstSquare);
  const bias = new Float32Array(languages);
  const slopes = new Float64Array(languages);
  const random = randomFrom(TRAINING.seed);
  const order = Int32Array.from(examples, (_example, at) => at);
  for (let epoch = 0; epoch < TRAINING.epochs; epoch++) {
    shuffle(order, random);
    for (const index of order) {
      const { features, language } = examples[index]!;
      const scale = 1 / Math.sqrt(features.length);
      slopes.fill(0);
      for (const slot of features) {
        for (let k = 0; k < languages; k++) slopes[k]! += weights[slot * languages + k]!;
      }
      let top = -Infinity;
      for (let k = 0; k < languages; k++) {
        slopes[k] = slopes[k]! * scale + bias[k]!;
        top = Math.max(top, slopes[k]!);
      }
      let total = 0;
      for (let k = 0; k < languages; k++) total += slopes[k] = Math.exp(slopes[k]! - top);
      for (let k = 0; k < languages; k++) {
        const slope = slopes[k]! / total - (k === language ? 1 : 0);
        bias[k]! -= TRAINING.biasRate * slope;
        const scaled = slope * scale;
        if (Math.abs(scaled) < TRAINING.smallestSlope) continue;
        for (const slot of features) {
          const at = slot * languages + k;
          squares[at]! += scaled * scaled;
          weights[at]! -= (TRAINING.rate * scaled) / Math.sqrt(squares[at]!);
        }
      }
    }
  }
  return { slots: weights, bias };
}
