import { readFileSync } from 'node:fs';
import { type Sentiment, type SentimentLabel } from '../enrichment.js';
import { type Token } from '../text/tokens.js';
import { extractFeatures } from './features.js';
import { EnglishFilter, type LanguageFile } from './english-filter.js';
import { Lexicon, type LexiconFile } from './lexicon.js';
import { LinearModel, softmax, type Probabilities } from './linear-model.js';
import { LanguageSentiment } from './languages/language-sentiment.js';
import { withOpinion } from './opinion.js';
import { type Detection } from '../../text/language/detect-language.js';

/** The neutral class must be more likely than the others by this much. Tuned by cross-validation. */
const NEUTRAL_FACTOR = 0.8;
/** Score of texts that cannot be analysed. */
export const NEUTRAL: Readonly<Sentiment> = { score: 0, label: 'neutral' };
/** Weight of a title's word relative to a body's. */
const TITLE_WEIGHT = 2;

const ENGLISH = 'en';
/** Certainty of a language from which its own model reads a text that is not English. */
const LIKELY = 0.5;
/** Certainty of another language from which a text is not taken for English. */
const CERTAIN = 0.95;

/** Scores the sentiment of texts in English and in the languages of {@link LanguageSentiment}. */
export class SentimentScorer {
  private readonly languages = new LanguageSentiment();

  constructor(
    private readonly lexicon: Lexicon,
    private readonly english: EnglishFilter,
    private readonly model: LinearModel,
  ) {}

  /** Reads the files next to this one. */
  static load(): SentimentScorer {
    const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
    const json = (name: string): unknown => JSON.parse(read(name).toString('utf8'));
    return new SentimentScorer(
      new Lexicon(json('lexicon.json') as LexiconFile),
      new EnglishFilter(json('languages.json') as LanguageFile),
      new LinearModel(read('weights.bin')),
    );
  }

  /**
   * Both parts as tokens; their probabilities are averaged, weighted by the square roots of their lengths, with the
   * title's doubled. `found` is the language of both.
   */
  score(title: readonly Token[], body: readonly Token[], found: Readonly<Detection>): Sentiment {
    const first = this.probabilities(title, found);
    const second = this.probabilities(body, found);
    if (!first || !second) return decide(first ?? second);
    const titleWeight = TITLE_WEIGHT * Math.sqrt(title.length);
    return decide(mix(first, second, titleWeight / (titleWeight + Math.sqrt(body.length))));
  }

  /** Null for texts without a word or emoticon, and for languages without a model. */
  private probabilities(tokens: readonly Token[], found: Readonly<Detection>): Probabilities | null {
    const infos = this.lexicon.describe(tokens);
    if (infos.every((info) => info === null)) return null;
    const { language, probability } = found;
    const isEnglish =
      (language === ENGLISH || probability < CERTAIN) && this.english.understands(tokens, infos);
    if (!isEnglish) {
      const isKnown = this.languages.has(language) && probability >= LIKELY;
      return isKnown ? this.languages.probabilities(tokens, language) : null;
    }
    const features = extractFeatures(tokens, infos);
    return withOpinion(softmax(this.model.logits(features)), features.dense);
  }
}

/** Mixes `share` of `a` with the rest of `b`. */
function mix(a: Probabilities, b: Probabilities, share: number): Probabilities {
  const rest = 1 - share;
  return [share * a[0] + rest * b[0], share * a[1] + rest * b[1], share * a[2] + rest * b[2]];
}

/** The most likely class, and p(positive) - p(negative); neutral with 0 for null. */
export function decide(probabilities: Probabilities | null): Sentiment {
  if (!probabilities) return { ...NEUTRAL };
  const [positive, neutral, negative] = probabilities;
  return { score: rounded(positive - negative), label: label(positive, neutral, negative) };
}

function label(positive: number, neutral: number, negative: number): SentimentLabel {
  if (neutral * NEUTRAL_FACTOR >= Math.max(positive, negative)) return 'neutral';
  return positive >= negative ? 'positive' : 'negative';
}

/** Rounded to four decimals; never -0. */
function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000 + 0;
}
