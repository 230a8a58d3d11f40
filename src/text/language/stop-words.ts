import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

/** Stop words of each language, separated by spaces. */
export type StopWordFile = Readonly<Record<string, string>>;

const NONE: ReadonlySet<string> = new Set();
const sets = new Map<string, ReadonlySet<string>>();
let file: StopWordFile | null = null;

/** Words of a language that may stand at neither end of a phrase; empty for a language without a list. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const known = sets.get(language);
  if (known) return known;
  file ??= JSON.parse(
    brotliDecompressSync(readFileSync(new URL('stop-words.bin', import.meta.url))).toString('utf8'),
  ) as StopWordFile;
  const words = file[language];
  if (words === undefined) return NONE;
  const set = new Set(words.split(' '));
  sets.set(language, set);
  return set;
}

/** Writes the lists in the form that {@link stopWordsOf} reads. */
export function encodeStopWords(words: StopWordFile): Buffer {
  return brotliCompressSync(JSON.stringify(words));
}
