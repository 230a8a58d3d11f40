/**
 * Trains the sentiment weights of languages besides English: `node dist/scripts/train-language-sentiment.js FOLDER [OUT]`.
 * FOLDER contains the labelled sets as TSV; the same files give the same bytes. Prints macro-F1
 * by cross-validation: the mean and the range of the folds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLanguageWeights } from '../src/enrichment/sentiment/languages/language-sentiment.js';
import { MODEL_LANGUAGES } from '../src/enrichment/sentiment/languages/negations.js';
import { crossValidateLanguage, readLanguageTexts, trainLanguage } from './training/language-sentiment.js';

const [folder, out = 'src/enrichment/sentiment/languages'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node dist/scripts/train-language-sentiment.js FOLDER [OUT]');
  process.exit(2);
}
for (const language of MODEL_LANGUAGES) {
  const data = readLanguageTexts(folder, language);
  const file = encodeLanguageWeights(trainLanguage(data.listed, data.texts));
  writeFileSync(join(out, `${language}.bin`), file);
  const folds = crossValidateLanguage(data).sort((a, b) => a - b);
  const mean = folds.reduce((sum, fold) => sum + fold, 0) / folds.length;
  const [figure, least, most] = [mean, folds[0]!, folds.at(-1)!].map((value) => value.toFixed(3));
  console.log(`${language}: macro-F1 ${figure} (${least} to ${most}), ${file.length} bytes`);
}
