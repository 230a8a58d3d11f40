import { probability } from '../../src/common/probability.js';
import { phraseOf, type CandidateSet } from '../../src/enrichment/keywords/candidates.js';
import {
  RANKING_FEATURES,
  RANKING_SLOTS,
  rankingSlots,
  type PostContext,
} from '../../src/enrichment/keywords/ranking-features.js';
import stemmer from 'natural/lib/natural/stemmers/porter_stemmer.js';
import { randomFrom, shuffle } from './softmax.js';

/** The sets and the weight of a document of each; news is rare here and unlike the rest. */
export const KEYPHRASE_SETS = {
  '500n': 3,
  inspec: 1,
  semeval2017: 1,
  www: 1,
  kdd: 1,
  stackexchange: 1,
} as const;
export type KeyphraseSet = keyof typeof KEYPHRASE_SETS;
export const KEYPHRASE_NAMES = Object.keys(KEYPHRASE_SETS) as KeyphraseSet[];

export interface RankingExample {
  /** Slots of each candidate. */
  slots: Int32Array[];
  /** 1 where the candidate is among the labelled phrases. */
  hits: Uint8Array;
  weight: number;
}

const RANKING = { epochs: 8, rate: 0.04, l2: 1e-4, seed: 7 } as const;

const stems = new Map<string, string>();

function stem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    known = stemmer.stem(word);
    stems.set(word, known);
  }
  return known;
}

/** Porter stems of the words, joined by a space: the form in which phrases are compared. */
export function normalPhrase(phrase: string): string {
  return phrase
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stem)
    .join(' ');
}

export function toRankingExample(
  set: CandidateSet,
  keys: readonly string[],
  context: PostContext,
  weight: number,
): RankingExample {
  const gold = new Set(keys.map(normalPhrase));
  const candidates = [...set.candidates.values()];
  return {
    slots: candidates.map((candidate) => {
      const slots = new Int32Array(RANKING_FEATURES);
      rankingSlots(candidate, context, slots);
      return slots;
    }),
    hits: Uint8Array.from(candidates, (candidate) => (gold.has(normalPhrase(phraseOf(candidate))) ? 1 : 0)),
    weight,
  };
}

/** Logistic regression by AdaGrad over every candidate of every document. */
export function trainRanking(examples: readonly RankingExample[]): Float32Array {
  const weights = new Float32Array(RANKING_SLOTS);
  const squares = new Float32Array(RANKING_SLOTS).fill(0.1);
  const random = randomFrom(RANKING.seed);
  const order = Int32Array.from(examples, (_example, at) => at);
  for (let epoch = 0; epoch < RANKING.epochs; epoch++) {
    shuffle(order, random);
    for (const index of order) {
      const { slots, hits, weight } = examples[index]!;
      slots.forEach((filled, at) => {
        let score = 0;
        for (const slot of filled) score += weights[slot]!;
        const slope = (probability(score) - hits[at]!) * weight;
        for (const slot of filled) {
          const g = slope + RANKING.l2 * weights[slot]!;
          squares[slot]! += g * g;
          weights[slot]! -= (RANKING.rate * g) / Math.sqrt(squares[slot]!);
        }
      });
    }
  }
  return weights;
}
