/**
 * Trains the sentiment weights: `node dist/scripts/train-sentiment.js FOLDER [OUT]`. FOLDER contains the labelled sets
 * as TSV; the same files give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLanguages } from './training/languages.js';
import { buildLexicon } from './training/lexicon.js';
import { readShippedSets, trainSentiment } from './training/sentiment-corpus.js';

const [folder, out = 'src/enrichment/sentiment'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node dist/scripts/train-sentiment.js FOLDER [OUT]');
  process.exit(2);
}
const rows = readShippedSets(folder);
const lexicon = buildLexicon();
const texts = rows.map((row) => row.text);
writeFileSync(join(out, 'lexicon.json'), JSON.stringify(lexicon));
writeFileSync(join(out, 'languages.json'), JSON.stringify(buildLanguages(texts, Object.keys(lexicon))));
writeFileSync(join(out, 'weights.bin'), trainSentiment(rows, lexicon));
console.log(`${rows.length} texts; weights written to ${out}`);
