import { mixBits } from '../text/hash.js';
import { Kind, type Token } from '../text/tokens.js';
import { type Lexicon, type WordInfo } from './lexicon.js';
import { ruleScore, type RuleScore } from './rule-score.js';

/** Slots for words, word pairs and marks; character n-grams have their own table. */
export const WORD_SLOTS = 1 << 19;
export const DENSE = 24;

export interface Features {
  /** Slots in the word table, one for each occurrence. */
  slots: number[];
  /** Words whose character n-grams count. */
  words: WordInfo[];
  dense: Float64Array;
}

const NEGATED = 0x5bd1e995;
const PAIR = 0x9e3779b1;
const SKIP = 0x7f4a7c15;

/** What the linear model sees of a text. */
export function extractFeatures(tokens: readonly Token[], lexicon: Lexicon): Features {
  const infos = tokens.map((token) =>
    token.kind === Kind.Word || token.kind === Kind.Emoji || token.kind === Kind.Emoticon
      ? lexicon.get(token.text)
      : null,
  );
  const rule = ruleScore(tokens, infos);
  const slots: number[] = [];
  const words: WordInfo[] = [];
  let before = START;
  let beforeThat = START;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const info = infos[at];
    const base = info ? info.hash : symbolHash(token);
    if (info && token.kind === Kind.Word) words.push(info);
    const hash = rule.negated[at] ? mixBits(base ^ NEGATED) : base;
    slots.push(hash % WORD_SLOTS, mixBits(Math.imul(before, PAIR) ^ hash) % WORD_SLOTS);
    if (token.caps) slots.push(mixBits(base ^ 0x1234567) % WORD_SLOTS);
    if (token.kind !== Kind.Stop) {
      slots.push(mixBits(Math.imul(mixBits(Math.imul(beforeThat, SKIP) ^ before), SKIP) ^ hash) % WORD_SLOTS);
    }
    beforeThat = before;
    before = base;
  }
  slots.push(mixBits(Math.imul(before, PAIR) ^ END) % WORD_SLOTS);
  const dense = summarise(tokens, infos, rule);
  bucketSlots(dense, slots);
  return { slots, words, dense };
}

const START = 0x51ed270b;
const END = 0x2545f491;

function symbolHash(token: Token): number {
  if (token.kind === Kind.Number) return 0x0badcafe;
  let hash = 0x1000193 * (token.kind + 1);
  for (let at = 0; at < token.text.length; at++)
    hash = Math.imul(hash ^ token.text.charCodeAt(at), 0x85ebca6b);
  return mixBits(hash);
}

function summarise(
  tokens: readonly Token[],
  infos: readonly (WordInfo | null)[],
  rule: RuleScore,
): Float64Array {
  const dense = new Float64Array(DENSE);
  let positive = 0;
  let negative = 0;
  let most = 0;
  let least = 0;
  let first = 0;
  let last = 0;
  let afinn = 0;
  let words = 0;
  let caps = 0;
  let positives = 0;
  let negatives = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const valence = rule.valences[at]!;
    if (valence > 0) {
      positive += valence;
      positives++;
    } else if (valence < 0) {
      negative -= valence;
      negatives++;
    }
    if (valence !== 0) {
      if (first === 0) first = valence;
      last = valence;
      most = Math.max(most, valence);
      least = Math.min(least, valence);
    }
    const info = infos[at];
    if (info) afinn += rule.negated[at] ? -0.5 * info.afinn : info.afinn;
    switch (token.kind) {
      case Kind.Word:
        words++;
        if (token.caps) caps++;
        if (token.elongated) dense[16] = 1;
        if (token.hashtag) dense[14] = 1;
        break;
      case Kind.Shout:
        if (token.text.startsWith('!'))
          dense[8] = Math.min(1, dense[8]! + (token.text.startsWith('!!') ? 0.6 : 0.3));
        if (token.text.endsWith('?')) dense[9] = Math.min(1, dense[9]! + 0.4);
        break;
      case Kind.Mark:
        dense[token.text === '\ue000' ? 12 : token.text === '\ue001' ? 13 : 17] = 1;
        break;
      default:
    }
  }
  const compound = rule.compound;
  dense[0] = compound;
  dense[1] = squash(positive);
  dense[2] = squash(negative);
  dense[3] = most / 4;
  dense[4] = least / 4;
  dense[5] = last / 4;
  dense[6] = first / 4;
  dense[7] = afinn / Math.sqrt(afinn * afinn + 15);
  dense[10] = words > 0 ? caps / words : 0;
  dense[11] = Math.log(1 + words) / 5;
  dense[15] = dense[13] || dense[14] ? compound : 0;
  dense[18] = words > 0 ? positives / words : 0;
  dense[19] = words > 0 ? negatives / words : 0;
  dense[20] = Math.abs(compound);
  dense[21] = compound * dense[11];
  dense[22] = positives > 0 && negatives > 0 ? 1 : 0;
  dense[23] = positives + negatives === 0 ? 1 : 0;
  return dense;
}

function squash(sum: number): number {
  return sum / (sum + 4);
}

/** Steps of the rule score, so that the model need not take it as linear. */
function bucketSlots(dense: Float64Array, slots: number[]): void {
  const compound = Math.round(dense[0]! * 5);
  const afinn = Math.round(dense[7]! * 3);
  slots.push(
    mixBits(0xabc0 + compound * 31) % WORD_SLOTS,
    mixBits(0xdef00 + compound * 97 + afinn * 1013) % WORD_SLOTS,
  );
}
