/**
 * Trains the sentiment weights: `node dist/scripts/train-sentiment.js FOLDER [OUT]`.
 * FOLDER holds the labelled sets as TSV; the same files give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DENSE, WORD_SLOTS } from '../src/enrichment/sentiment/features.js';
import { GRAM_SLOTS, Lexicon } from '../src/enrichment/sentiment/lexicon.js';
import { encodeWeights } from '../src/enrichment/sentiment/linear-model.js';
import { buildLanguages } from './training/languages.js';
import { buildLexicon } from './training/lexicon.js';
import { readLabelled, SHIPPED_SETS } from './training/dataset.js';
import { toExample, TRAINING } from './training/examples.js';
import { trainSoftmax } from './training/softmax.js';

const [folder, out = 'src/enrichment/sentiment'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node dist/scripts/train-sentiment.js FOLDER [OUT]');
  process.exit(2);
}
const rows = SHIPPED_SETS.flatMap((name) => readLabelled(folder, name));
const lexicon = buildLexicon();
const words = new Lexicon(lexicon);
const examples = rows.map((row) => toExample(row, words));
const weights = trainSoftmax(examples, {
  ...TRAINING,
  wordSlots: WORD_SLOTS,
  gramSlots: GRAM_SLOTS,
  denseSize: DENSE,
});
writeFileSync(join(out, 'lexicon.json'), JSON.stringify(lexicon));
writeFileSync(
  join(out, 'languages.json'),
  JSON.stringify(
    buildLanguages(
      rows.map((row) => row.text),
      Object.keys(lexicon),
    ),
  ),
);
writeFileSync(join(out, 'weights.bin'), encodeWeights(weights));
console.log(`${rows.length} texts, weights written to ${out}`);
