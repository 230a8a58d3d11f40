import { LANGUAGE_SLOTS } from '../../src/enrichment/sentiment/languages/language-features.js';
import { LANGUAGE_GRAM_SCALE } from '../../src/enrichment/sentiment/languages/language-sentiment.js';
import { decide } from '../../src/enrichment/sentiment/sentiment-scorer.js';
import { CLASSES } from './dataset.js';
import { type LabelledExample, type LanguageTexts } from './language-sets.js';
import { macroF1, type Evaluated } from './quality.js';
import { predict, trainSoftmax, type Example, type Table } from './softmax.js';
import { topicsOf } from './topics.js';

const TRAINING = {
  wordSlots: LANGUAGE_SLOTS,
  gramSlots: LANGUAGE_SLOTS,
  denseSize: 0,
  rate: 0.1,
  l2: 0,
  gramScale: LANGUAGE_GRAM_SCALE,
  denseScale: 0,
  seed: 1,
} as const;
const OTHERS_EPOCHS = 2;
const TWEETS_EPOCHS = 4;
const TOPICS = 10;
const FOLDS = 5;

/** Macro-F1 over the tweets of a language, with the labels that the service gives. */
export interface LanguageFigures {
  /** Without any tweet of the language in training. */
  otherSets: number;
  /** Each fifth of the topics by weights that were trained without it: of all tweets together, and of each fifth. */
  otherTopics: number;
  folds: number[];
}

/** Weights of words in texts of other kinds, a start for {@link trainOnTweets}. */
export function trainOnOthers(others: readonly Example[]): Table {
  return trainSoftmax(others, { ...TRAINING, epochs: OTHERS_EPOCHS });
}

/** Weights that begin with those of other texts, so that they hold where tweets say nothing. */
export function trainOnTweets(tweets: readonly Example[], start: Table): Table {
  return trainSoftmax(tweets, { ...TRAINING, epochs: TWEETS_EPOCHS }, start);
}

/** Figures of tweets whose set, or whose topic, training did not see. */
export function measureLanguage({ tweets }: LanguageTexts, start: Table): LanguageFigures {
  const topics = topicsOf(
    tweets.map(({ slots }) => slots),
    TOPICS,
  );
  const folds = Array.from({ length: FOLDS }, (_zero, fold) => {
    const isLeftOut = (at: number): boolean => topics[at]! % FOLDS === fold;
    const weights = trainOnTweets(
      tweets.filter((_tweet, at) => !isLeftOut(at)),
      start,
    );
    return evaluate(
      tweets.filter((_tweet, at) => isLeftOut(at)),
      weights,
    );
  });
  return {
    otherSets: macroF1(evaluate(tweets, start)),
    otherTopics: macroF1(folds.flat()),
    folds: folds.map(macroF1),
  };
}

function evaluate(texts: readonly LabelledExample[], weights: Table): Evaluated[] {
  return texts.map((text) => {
    const [positive, neutral, negative] = predict(weights, text, TRAINING);
    const { score, label } = decide([positive!, neutral!, negative!]);
    return { gold: CLASSES[text.label]!, label, rating: null, score };
  });
}
