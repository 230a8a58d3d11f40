import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { VERSION } from '../common/version.js';

/** Files of the models that compute a field of posts and comments. */
const FILES = {
  language: ['../text/language/languages.bin'],
  sentiment: ['sentiment/weights.bin', 'sentiment/lexicon.json', 'sentiment/languages.json'],
  keywords: ['keywords/ranking.bin', 'keywords/frequencies.bin', '../text/language/stop-words.bin'],
} as const;
const DIGITS = 16;

/** Version of the service, and the first digits of a hash of each model. */
export type ModelVersions = Record<'service' | keyof typeof FILES, string>;

/** The versions of this process; reads every file of a model. */
export function modelVersions(): ModelVersions {
  const hashed = (files: readonly string[]): string => {
    const hash = createHash('sha256');
    for (const file of files) hash.update(readFileSync(new URL(file, import.meta.url)));
    return hash.digest('hex').slice(0, DIGITS);
  };
  return {
    service: VERSION,
    language: hashed(FILES.language),
    sentiment: hashed(FILES.sentiment),
    keywords: hashed(FILES.keywords),
  };
}
