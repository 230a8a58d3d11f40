/**
 * Quality on the development sets, and texts a second, compared with packages that users might choose instead. Sets
 * used for training are evaluated by cross-validation, so that no text is scored by weights that were trained on it.
 */
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import stemmer from 'natural/lib/natural/stemmers/porter_stemmer.js';
import { TextAnalyzer } from '../../src/enrichment/analyzer.js';
import { type Sentiment, type SentimentLabel } from '../../src/enrichment/enrichment.js';
import { CLASSES, readKeyphrased, readLabelled } from '../training/dataset.js';
import { evaluateKeywords } from '../training/evaluate-keywords.js';
import { crossValidate } from '../training/evaluate-sentiment.js';
import { correlation, interval, macroF1, type Evaluated } from '../training/quality.js';
import { rounded } from './support/measure.js';

const FOLDER = process.env.TEXT_ANALYSIS_DIR ?? '../shared/text-analysis';
const require = createRequire(import.meta.url);
type Scorer = (text: string) => Sentiment;

/** @throws Error when the folder of labelled texts (`TEXT_ANALYSIS_DIR`) is missing */
export function run(): Promise<object> {
  const started = process.memoryUsage().rss;
  const clock = performance.now();
  const analyzer = TextAnalyzer.load();
  const startup = { milliseconds: rounded(performance.now() - clock, 1), megabytes: megabytes(started) };
  const peers = loadPeers();
  const ours = crossValidate(FOLDER);
  return Promise.resolve({
    machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    startup,
    sentiment: Object.fromEntries(
      Object.entries(ours).map(([set, evaluated]) => [set, compare(set, evaluated, peers)]),
    ),
    keywords: evaluateKeywords(FOLDER),
    perSecond: speeds(analyzer, peers),
  });
}

function compare(set: string, ours: readonly Evaluated[], peers: Record<string, Scorer>): object {
  const rows = readLabelled(FOLDER, set);
  const evaluate = (scorer: Scorer): Evaluated[] =>
    rows.map((row) => ({ ...scorer(row.text), gold: CLASSES[row.label]!, rating: row.rating }));
  const figures = Object.entries(peers).map(([name, scorer]) => [name, describe(evaluate(scorer))] as const);
  return { texts: rows.length, service: describe(ours), ...Object.fromEntries(figures) };
}

function describe(evaluated: readonly Evaluated[]): object {
  const rated = evaluated.every((one) => one.rating !== null);
  return {
    macroF1: rounded(macroF1(evaluated), 4),
    interval: interval(evaluated, macroF1).map((value) => rounded(value, 4)),
    ...(rated
      ? {
          r: rounded(correlation(evaluated), 4),
          rInterval: interval(evaluated, correlation).map((v) => rounded(v, 4)),
        }
      : {}),
  };
}

/** Each used as its documentation says, with the usual thresholds. */
function loadPeers(): Record<string, Scorer> {
  const { SentimentAnalyzer } = require('natural/lib/natural/sentiment/index.js') as {
    SentimentAnalyzer: new (
      language: string,
      stemmer: object | null,
      list: string,
    ) => { getSentiment(words: string[]): number };
  };
  const { SentimentIntensityAnalyzer } = require('vader-sentiment') as {
    SentimentIntensityAnalyzer: { polarity_scores(text: string): { compound: number } };
  };
  const Sentiment = require('sentiment') as new () => { analyze(text: string): { comparative: number } };
  const plain = new SentimentAnalyzer('English', null, 'afinn');
  const stemmed = new SentimentAnalyzer('English', stemmer, 'afinn');
  const sentiment = new Sentiment();
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];
  return {
    naturalAfinn: (text) => banded(plain.getSentiment(wordsOf(text)) || 0, 0),
    naturalAfinnStemmed: (text) => banded(stemmed.getSentiment(wordsOf(text)) || 0, 0),
    sentiment: (text) => banded(sentiment.analyze(text).comparative, 0),
    vaderSentiment: (text) => banded(SentimentIntensityAnalyzer.polarity_scores(text).compound, 0.05),
  };
}

function banded(score: number, band: number): Sentiment {
  const label: SentimentLabel = score > band ? 'positive' : score < -band ? 'negative' : 'neutral';
  return { score, label };
}

const SPEED_TEXTS = 20_000;

function speeds(analyzer: TextAnalyzer, peers: Record<string, Scorer>): object {
  const texts = readLabelled(FOLDER, 'goemotions.train')
    .slice(0, SPEED_TEXTS)
    .map((row) => row.text);
  // Questions of about ninety words.
  const posts = readKeyphrased(FOLDER, 'kp_stackexchange.dev').map((row) => row.text);
  return {
    service: perSecond(texts, (text) => analyzer.scoreComment(text)),
    ...Object.fromEntries(Object.entries(peers).map(([name, scorer]) => [name, perSecond(texts, scorer)])),
    postsWithKeywords: perSecond(posts, (text) => analyzer.analyzePost('', text)),
  };
}

/** Best of three rounds, one thread. */
function perSecond(texts: readonly string[], work: (text: string) => unknown): number {
  let best = 0;
  for (let turn = 0; turn < 3; turn++) {
    const clock = performance.now();
    for (const text of texts) work(text);
    best = Math.max(best, (texts.length / (performance.now() - clock)) * 1_000);
  }
  return Math.round(best);
}

const megabytes = (before: number): number => rounded((process.memoryUsage().rss - before) / 1e6, 1);
