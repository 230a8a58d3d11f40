/**
 * Trains the sentiment weights of languages besides English: `node dist/scripts/train-language-sentiment.js FOLDER [OUT]`.
 * The same files give the same bytes. Prints macro-F1 over tweets: by texts of other sets alone, and with each fifth of the
 * topics left out (all, least and most).
 *
 * FOLDER contains for each language `XX`, with a header line:
 * - `umsab_XX.train.tsv`, `umsab_XX.dev.tsv` and `SET_XX.tsv` for the sets of `language-sets.ts`: id, label, rating (empty), text;
 * - `subtitles_XX.tsv` and, for ar, de, es and fr, `tatoeba_XX.tsv`: id, English sentence, its translation.
 *
 * docs/model-card.md says where the sets come from and how their labels were derived.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLanguageWeights } from '../src/enrichment/sentiment/languages/language-sentiment.js';
import { MODEL_LANGUAGES } from '../src/enrichment/sentiment/languages/negations.js';
import { SentimentScorer } from '../src/enrichment/sentiment/sentiment-scorer.js';
import { readLanguageTexts } from './training/language-sets.js';
import { measureLanguage, trainOnOthers, trainOnTweets } from './training/language-sentiment.js';

const [folder, out = 'src/enrichment/sentiment/languages'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node dist/scripts/train-language-sentiment.js FOLDER [OUT]');
  process.exit(2);
}
const english = SentimentScorer.load();
for (const language of MODEL_LANGUAGES) {
  const data = readLanguageTexts(folder, language, english);
  const start = trainOnOthers(data.others);
  const file = encodeLanguageWeights(trainOnTweets(data.tweets, start));
  writeFileSync(join(out, `${language}.bin`), file);
  const { otherSets, otherTopics, folds } = measureLanguage(data, start);
  const [sets, topics, least, most] = [otherSets, otherTopics, Math.min(...folds), Math.max(...folds)].map(
    (value) => value.toFixed(3),
  );
  console.log(
    `${language}: other sets ${sets}, other topics ${topics} (${least} to ${most}), ${file.length} bytes`,
  );
}
