/**
 * Counts document frequencies and trains the ranking of keywords: `node dist/scripts/train-keywords.js FOLDER [OUT]`.
 * FOLDER holds the labelled sets as TSV; the same files give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BackgroundFrequencies,
  encodeFrequencies,
} from '../src/enrichment/keywords/background-frequencies.js';
import { collectCandidates } from '../src/enrichment/keywords/candidates.js';
import { encodeRanking } from '../src/enrichment/keywords/keyword-extractor.js';
import { Terms } from '../src/enrichment/keywords/terms.js';
import { plainText } from '../src/enrichment/text/markup.js';
import { tokenize } from '../src/enrichment/text/tokens.js';
import { readKeyphrased, readLabelled } from './training/dataset.js';
import { KEYPHRASE_SETS, toRankingExample, trainRanking } from './training/keyphrases.js';

const [folder, out = 'src/enrichment/keywords'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node dist/scripts/train-keywords.js FOLDER [OUT]');
  process.exit(2);
}
const terms = new Terms();
const collect = (text: string) => collectCandidates([], tokenize(plainText(text)), terms);
const counts = new Map<number, number>();
let documents = 0;
const observe = (keys: Iterable<number>): void => {
  documents++;
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
};

const labelled = KEYPHRASE_SETS.flatMap((name) => readKeyphrased(folder, `kp_${name}.dev`)).map((row) => {
  const set = collect(row.text);
  observe(set.candidates.keys());
  return { set, keys: row.keys };
});
for (const name of ['goemotions.train', 'stackoverflow.dev']) {
  for (const row of readLabelled(folder, name)) observe(collect(row.text).candidates.keys());
}
const frequencies = encodeFrequencies(documents, counts);
const background = new BackgroundFrequencies(frequencies);
const share = (key: number): number => (background.count(key) + 0.5) / (documents + 1);
const examples = labelled.map(({ set, keys }) => toRankingExample(set, keys, { length: set.length, share }));
writeFileSync(join(out, 'frequencies.bin'), frequencies);
writeFileSync(join(out, 'ranking.bin'), encodeRanking(trainRanking(examples)));
console.log(`${documents} documents counted, ${examples.length} ranked; written to ${out}`);
