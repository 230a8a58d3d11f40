import { readRecord } from '../../src/text/record.js';
import { SCANNER } from '../../src/text/scanner.js';
import { searchValue } from '../../src/text/search-value.js';
import { readKeyphrased, readLabelled } from '../training/dataset.js';
import { rounded } from './support/measure.js';

const FOLDER = process.env.TEXT_ANALYSIS_DIR ?? '../shared/text-analysis';
const ROUNDS = 30;

/**
 * Real English questions and comments read by the analyzer on one core, the best of several rounds.
 *
 * @throws Error when the folder of texts (`TEXT_ANALYSIS_DIR`) is missing
 */
export function run(): Promise<object> {
  const texts = [
    ...readKeyphrased(FOLDER, 'kp_stackexchange.dev'),
    ...readLabelled(FOLDER, 'goemotions.train').slice(0, 5_000),
  ].map(({ text }) => text);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const rate = (read: (text: string) => unknown): number => {
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = process.cpuUsage().user;
      for (const text of texts) read(text);
      best = Math.min(best, process.cpuUsage().user - began);
    }
    return rounded(bytes / best, 1);
  };
  return Promise.resolve({
    texts: texts.length,
    megabytes: rounded(bytes / 1e6, 1),
    // Megabytes of text a second of processor time: only words, words with lexemes and places, search values.
    words_mb_s: rate((text) => SCANNER.scan(text)),
    lexemes_mb_s: rate((text) => readRecord({ title: '', text }, 'en')),
    search_values_mb_s: rate((text) => searchValue({ title: '', text }, 'en')),
  });
}
