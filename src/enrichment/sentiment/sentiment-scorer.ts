import { readFileSync } from 'node:fs';
import { type Sentiment, type SentimentLabel } from '../enrichment.js';
import { Kind, type Token } from '../text/tokens.js';
import { extractFeatures } from './features.js';
import { LanguageGate, type LanguageFile } from './language-gate.js';
import { Lexicon, type LexiconFile } from './lexicon.js';
import { LinearModel, softmax } from './linear-model.js';

/** A class is given when its probability, times its factor, is the largest. Tuned by cross-validation. */
const FACTORS: Readonly<Record<SentimentLabel, number>> = { positive: 1, neutral: 1, negative: 1 };
export const NEUTRAL: Readonly<Sentiment> = { score: 0, label: 'neutral' };
/** What the platform shows in place of a text that is gone. */
const GONE = /^\s*\[\s*(?:deleted|removed)[^\]]{0,40}\]\s*$/i;
/** A title says more a word than a body does. */
const TITLE_WEIGHT = 2;

export function isGone(text: string): boolean {
  return GONE.test(text);
}

type Logits = readonly [number, number, number];

export class SentimentScorer {
  constructor(
    private readonly lexicon: Lexicon,
    private readonly gate: LanguageGate,
    private readonly model: LinearModel,
  ) {}

  /** Reads the files beside this one. */
  static load(): SentimentScorer {
    const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
    const json = (name: string): unknown => JSON.parse(read(name).toString('utf8'));
    return new SentimentScorer(
      new Lexicon(json('lexicon.json') as LexiconFile),
      new LanguageGate(json('languages.json') as LanguageFile),
      new LinearModel(read('weights.bin')),
    );
  }

  /** Both parts as tokens; their log-odds are averaged by the root of their lengths, the title's doubled. */
  scorePost(title: readonly Token[], body: readonly Token[]): Sentiment {
    const first = this.logits(title);
    const second = this.logits(body);
    if (!first || !second) return decide(first ?? second);
    const titleWeight = TITLE_WEIGHT * Math.sqrt(title.length);
    const share = titleWeight / (titleWeight + Math.sqrt(body.length));
    const mixed = first.map((value, at) => share * value + (1 - share) * second[at]!);
    return decide([mixed[0]!, mixed[1]!, mixed[2]!]);
  }

  /** Null where there is nothing to read: no word and no face, or a language that the model does not know. */
  private logits(tokens: readonly Token[]): Logits | null {
    if (!tokens.some(speaks) || !this.gate.understands(tokens)) return null;
    return this.model.logits(extractFeatures(tokens, this.lexicon));
  }
}

function speaks(token: Token): boolean {
  return token.kind === Kind.Word || token.kind === Kind.Emoji || token.kind === Kind.Emoticon;
}

function decide(logits: Logits | null): Sentiment {
  if (!logits) return { ...NEUTRAL };
  const [positive, neutral, negative] = softmax(logits);
  return { score: positive - negative, label: label(positive, neutral, negative) };
}

function label(positive: number, neutral: number, negative: number): SentimentLabel {
  const good = positive * FACTORS.positive;
  const bad = negative * FACTORS.negative;
  if (neutral * FACTORS.neutral >= Math.max(good, bad)) return 'neutral';
  return good >= bad ? 'positive' : 'negative';
}
