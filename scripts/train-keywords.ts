/**
 * Counts document frequencies and trains the ranking of keywords: `node dist/scripts/train-keywords.js FOLDER [OUT]`.
 * FOLDER contains the labelled sets as TSV; the same files give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeRanking } from '../src/enrichment/keywords/ranking-weights.js';
import { readKeywordCorpus } from './training/keyword-corpus.js';
import { trainRanking } from './training/keyphrases.js';

const [folder, out = 'src/enrichment/keywords'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node dist/scripts/train-keywords.js FOLDER [OUT]');
  process.exit(2);
}
const { documents, frequencies } = readKeywordCorpus(folder);
writeFileSync(join(out, 'frequencies.bin'), frequencies);
writeFileSync(
  join(out, 'ranking.bin'),
  encodeRanking(trainRanking(documents.map((document) => document.example))),
);
console.log(`${documents.length} documents ranked; written to ${out}`);
