import { mixBits } from '../../common/hash.js';
import { Kind, type Token } from '../text/tokens.js';
import { type WordInfo } from '../text/word.js';
import { ruleScore } from './rule-score.js';
import { summarise, Summary } from './summary.js';

/** Slots for words, word pairs and marks; character n-grams have their own table. */
export const WORD_SLOTS = 1 << 18;

/** Input of the linear model for one text. */
export interface Features {
  /** Slots in the word table, one per occurrence. */
  slots: number[];
  /** Words whose character n-grams count. */
  words: WordInfo[];
  /** Numbers that describe the whole text, see `Summary`. */
  dense: Float64Array;
}

const NEGATED = 0x5bd1e995;
const PAIR = 0x9e3779b1;
const CAPITALS = 0x1234567;
const NUMBER = 0x0badcafe;
const START = 0x51ed270b;
const END = 0x2545f491;

/** The features of a text. `infos` are those of the lexicon, one per token. */
export function extractFeatures(tokens: readonly Token[], infos: readonly (WordInfo | null)[]): Features {
  const rule = ruleScore(tokens, infos);
  const slots: number[] = [];
  const words: WordInfo[] = [];
  let before = START;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const info = infos[at];
    const base = info ? info.hash : symbolHash(token);
    const hash = rule.negated[at] ? mixBits(base ^ NEGATED) : base;
    slots.push(hash % WORD_SLOTS, mixBits(Math.imul(before, PAIR) ^ hash) % WORD_SLOTS);
    if (info && token.kind === Kind.Word) {
      words.push(info);
      if (token.caps) slots.push(mixBits(base ^ CAPITALS) % WORD_SLOTS);
    }
    before = base;
  }
  const dense = summarise(tokens, infos, rule);
  slots.push(mixBits(Math.imul(before, PAIR) ^ END) % WORD_SLOTS, ...scoreSteps(dense));
  return { slots, words, dense };
}

/** Hash of a token that is not a word. Not `hashText`, because the weights were trained with this one. */
function symbolHash(token: Token): number {
  if (token.kind === Kind.Number) return NUMBER;
  let hash = 0x1000193 * (token.kind + 1);
  for (let at = 0; at < token.text.length; at++)
    hash = Math.imul(hash ^ token.text.charCodeAt(at), 0x85ebca6b);
  return mixBits(hash);
}

/** Scores of both lists divided into steps, so that the model need not treat them as linear. */
function scoreSteps(dense: Float64Array): [number, number] {
  const vader = Math.round(dense[Summary.compound]! * 5);
  const afinn = Math.round(dense[Summary.afinn]! * 3);
  return [
    mixBits(0xabc0 + vader * 31) % WORD_SLOTS,
    mixBits(0xdef00 + vader * 97 + afinn * 1013) % WORD_SLOTS,
  ];
}
