import { MARKS } from '../text/markup.js';
import { Kind, type Token } from '../text/tokens.js';
import { type WordInfo } from '../text/word.js';
import { type RuleScore } from './rule-score.js';

/** Indexes of the numbers that describe a whole text; each lies within -1..1 or close to it. */
export const Summary = {
  compound: 0,
  positive: 1,
  negative: 2,
  most: 3,
  least: 4,
  last: 5,
  first: 6,
  afinn: 7,
  exclaims: 8,
  questions: 9,
  capitals: 10,
  length: 11,
  url: 12,
  user: 13,
  hashtag: 14,
  socialCompound: 15,
  elongated: 16,
  name: 17,
  positiveShare: 18,
  negativeShare: 19,
  strength: 20,
  longCompound: 21,
  mixed: 22,
  plain: 23,
} as const;
/** How many numbers there are. */
export const SUMMARY_SIZE = Object.keys(Summary).length;

/** The numbers that describe a whole text, indexed by {@link Summary}. */
export function summarise(
  tokens: readonly Token[],
  infos: readonly (WordInfo | null)[],
  rule: RuleScore,
): Float64Array {
  const out = new Float64Array(SUMMARY_SIZE);
  addValences(rule.valences, out);
  const words = addSurface(tokens, out);
  addAfinn(infos, rule.negated, out);
  const { compound } = rule;
  out[Summary.compound] = compound;
  out[Summary.socialCompound] = out[Summary.user] || out[Summary.hashtag] ? compound : 0;
  out[Summary.strength] = Math.abs(compound);
  out[Summary.longCompound] = compound * out[Summary.length]!;
  if (words > 0) {
    out[Summary.positiveShare]! /= words;
    out[Summary.negativeShare]! /= words;
  }
  return out;
}

/** Summarises the valences; shares are still counts. */
function addValences(valences: Float64Array, out: Float64Array): void {
  let positive = 0;
  let negative = 0;
  let positives = 0;
  let negatives = 0;
  for (const valence of valences) {
    if (valence === 0) continue;
    if (valence > 0) {
      positive += valence;
      positives++;
    } else {
      negative -= valence;
      negatives++;
    }
    if (positives + negatives === 1) out[Summary.first] = valence / 4;
    out[Summary.last] = valence / 4;
    out[Summary.most] = Math.max(out[Summary.most]!, valence / 4);
    out[Summary.least] = Math.min(out[Summary.least]!, valence / 4);
  }
  out[Summary.positive] = positive / (positive + 4);
  out[Summary.negative] = negative / (negative + 4);
  out[Summary.positiveShare] = positives;
  out[Summary.negativeShare] = negatives;
  out[Summary.mixed] = positives > 0 && negatives > 0 ? 1 : 0;
  out[Summary.plain] = positives + negatives === 0 ? 1 : 0;
}

/** Returns the number of words. */
function addSurface(tokens: readonly Token[], out: Float64Array): number {
  let words = 0;
  let caps = 0;
  for (const token of tokens) {
    switch (token.kind) {
      case Kind.Word:
        words++;
        if (token.caps) caps++;
        if (token.word?.elongated) out[Summary.elongated] = 1;
        if (token.hashtag) out[Summary.hashtag] = 1;
        break;
      case Kind.Shout:
        if (token.text.startsWith('!')) raise(out, Summary.exclaims, token.text.startsWith('!!') ? 0.6 : 0.3);
        if (token.text.endsWith('?')) raise(out, Summary.questions, 0.4);
        break;
      case Kind.Mark:
        if (token.text === MARKS.url) out[Summary.url] = 1;
        else out[token.text === MARKS.user ? Summary.user : Summary.name] = 1;
        break;
      default:
    }
  }
  out[Summary.capitals] = words > 0 ? caps / words : 0;
  out[Summary.length] = Math.log(1 + words) / 5;
  return words;
}

function raise(out: Float64Array, place: number, by: number): void {
  out[place] = Math.min(1, out[place]! + by);
}

function addAfinn(infos: readonly (WordInfo | null)[], negated: Uint8Array, out: Float64Array): void {
  let sum = 0;
  for (let at = 0; at < infos.length; at++) {
    const afinn = infos[at]?.afinn ?? 0;
    sum += negated[at] ? -0.5 * afinn : afinn;
  }
  out[Summary.afinn] = sum / Math.sqrt(sum * sum + 15);
}
