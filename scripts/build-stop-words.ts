/**
 * Writes the stop words of the languages that the detector knows, from the package `stopwords-iso`:
 * `node dist/scripts/build-stop-words.js [OUT]`. English has a list of its own.
 */
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeStopWords } from '../src/text/language/stop-words.js';
import { LANGUAGES } from '../src/text/language/languages.js';

const [out = 'src/text/language'] = process.argv.slice(2);
const lists = createRequire(import.meta.url)('stopwords-iso/stopwords-iso.json') as Record<string, string[]>;
const words = LANGUAGES.filter((language) => language !== 'en' && lists[language] !== undefined).map(
  (language) => [language, lists[language]!.filter((word) => !word.includes(' ')).join(' ')] as const,
);
const file = encodeStopWords(Object.fromEntries(words));
writeFileSync(join(out, 'stop-words.bin'), file);
console.log(`${words.length} languages, ${file.length} bytes written to ${out}`);
