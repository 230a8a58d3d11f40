import { type Probabilities } from './linear-model.js';
import { Summary } from './summary.js';

/**
 * Contribution of each sign of sentiment to the score: least squares on the ratings of four sets, with out-of-fold
 * probabilities of the learned model (`scripts/fit-opinion.ts`).
 */
const OPINION_WEIGHTS: OpinionWeights = {
  learned: 0.55,
  listed: 0.36,
  listedByLength: -0.47,
  exclaimed: 0.234,
  extremes: 0.207,
  learnedSocial: -0.193,
  listedSocial: 0.116,
};
/** Share of the word lists in the probability of neutral; not applied to microblog-like texts. */
const LISTED_NEUTRAL = 0.1;

/** Weights of {@link opinionSigns}, in the same order. */
export type OpinionWeights = Readonly<Record<(typeof OPINION_SIGNS)[number], number>>;

/** Names of the signs, in the order of {@link opinionSigns}. */
export const OPINION_SIGNS = [
  'learned',
  'listed',
  'listedByLength',
  'exclaimed',
  'extremes',
  'learnedSocial',
  'listedSocial',
] as const;

/** Signs of sentiment from the learned probabilities and the word lists, each from about -1 to 1. */
export function opinionSigns(learned: Probabilities, dense: Float64Array): number[] {
  const opinion = learned[0] - learned[2];
  const listed = dense[Summary.compound]!;
  const social = isSocial(dense) ? 1 : 0;
  return [
    opinion,
    listed,
    dense[Summary.longCompound]!,
    dense[Summary.exclaims]! * Math.sign(listed),
    dense[Summary.most]! + dense[Summary.least]!,
    opinion * social,
    listed * social,
  ];
}

/**
 * Corrects the learned probabilities with the word lists, because the training labels have no strength and training saw
 * few of the rare words. Positive minus negative is the sum of the weighted signs.
 */
export function withOpinion(learned: Probabilities, dense: Float64Array): Probabilities {
  const signs = opinionSigns(learned, dense);
  const sum = OPINION_SIGNS.reduce((total, name, at) => total + OPINION_WEIGHTS[name] * signs[at]!, 0);
  const score = Math.max(-1, Math.min(1, sum));
  const share = isSocial(dense) ? 0 : LISTED_NEUTRAL;
  const unmoved = share * (1 - Math.abs(dense[Summary.compound]!)) + (1 - share) * learned[1];
  const neutral = Math.min(unmoved, 1 - Math.abs(score));
  return [(1 - neutral + score) / 2, neutral, (1 - neutral - score) / 2];
}

function isSocial(dense: Float64Array): boolean {
  return dense[Summary.user] === 1 || dense[Summary.hashtag] === 1;
}
