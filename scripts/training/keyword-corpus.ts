import {
  BackgroundFrequencies,
  encodeFrequencies,
} from '../../src/enrichment/keywords/background-frequencies.js';
import { collectCandidates, type CandidateSet } from '../../src/enrichment/keywords/candidates.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { tokenize } from '../../src/enrichment/text/tokens.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';
import { readKeyphrased, readLabelled } from './dataset.js';
import {
  KEYPHRASE_NAMES,
  KEYPHRASE_SETS,
  toRankingExample,
  type KeyphraseSet,
  type RankingExample,
} from './keyphrases.js';

/** A document with labelled phrases, ready to be ranked. */
export interface KeywordDocument {
  from: KeyphraseSet;
  set: CandidateSet;
  keys: string[];
  example: RankingExample;
}

export interface KeywordCorpus {
  documents: KeywordDocument[];
  /** The document frequencies as used in production. */
  frequencies: Buffer;
}

/** Short texts that distinguish common from rare words; their labels are not used. */
const TALK = ['goemotions.train', 'stackoverflow.dev'];

export function readKeywordCorpus(folder: string): KeywordCorpus {
  const words = new WordTable();
  const collect = (text: string): CandidateSet =>
    collectCandidates([], tokenize(plainText(text), words), words);
  const counts = new Map<number, number>();
  let total = 0;
  const observe = (set: CandidateSet): void => {
    total++;
    for (const key of set.candidates.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const rows = KEYPHRASE_NAMES.flatMap((from) =>
    readKeyphrased(folder, `kp_${from}.dev`).map((row) => ({ from, keys: row.keys, set: collect(row.text) })),
  );
  for (const row of rows) observe(row.set);
  for (const name of TALK) for (const row of readLabelled(folder, name)) observe(collect(row.text));

  const frequencies = encodeFrequencies(total, counts);
  const background = new BackgroundFrequencies(frequencies);
  const rarity = (key: number): number => background.rarity(key);
  const documents = rows.map((row) => {
    const context = { length: row.set.length, capitals: row.set.capitals, rarity };
    return { ...row, example: toRankingExample(row.set, row.keys, context, KEYPHRASE_SETS[row.from]) };
  });
  return { documents, frequencies };
}
