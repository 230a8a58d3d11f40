import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { isGone } from '../gone-text.js';
import { LanguageModel } from './language-model.js';
import { SCRIPT_LANGUAGES, UNDETERMINED } from './languages.js';
import { readLetters, type Letters } from './letters.js';
import { SCRIPTS, type Script } from './scripts.js';

/** Fewer letters than this have no language, except in scripts whose signs are words. */
const FEWEST_LETTERS = 3;
/** Languages less likely than this are not named. */
const LEAST_PROBABILITY = 0.25;
/** From this number and this share of code signs, per letter, a text is code. */
const FEWEST_CODE_SIGNS = 3;
const CODE_SHARE = 0.12;
/** Share of Kana from which a text in Han and Kana is Japanese; Chinese uses single signs as ornament. */
const KANA_SHARE = 0.1;

/** The language of a text, with the probability that it is right. */
export interface Detection {
  /** BCP 47 primary language; `und` when it cannot be known. */
  language: string;
  /** In [0, 1]. */
  probability: number;
}

const LANGUAGE_BY_SCRIPT = new Map(
  Object.entries(SCRIPT_LANGUAGES).map(([script, language]) => [SCRIPTS[script as Script], language]),
);
/** No language. */
export const UNKNOWN_LANGUAGE: Readonly<Detection> = { language: UNDETERMINED, probability: 0 };

let model: LanguageModel | null = null;

/** The texts of the last batches: the language step, the words for search and alerts read the same ones. */
const DETECTED = new LRUCache<string, Readonly<Detection>>({
  max: 4_096,
  maxSize: 4_000_000,
  sizeCalculation: (_, text) => text.length + 1,
});

/** BCP 47 primary language of a text; `und` for texts that are too short, mixed or not prose. Linear and bounded. */
export function detectLanguage(text: string): string {
  return detect(text).language;
}

/** The language of a text and how likely it is; the model file is read on first use. */
export function detect(text: string): Readonly<Detection> {
  const known = DETECTED.get(text);
  if (known !== undefined) return known;
  const found = detectAnew(text);
  DETECTED.set(text, found);
  return found;
}

function detectAnew(text: string): Readonly<Detection> {
  const letters = readLetters(text);
  if (letters.total === 0 || isCode(letters) || isGone(text)) return UNKNOWN_LANGUAGE;
  const script = mainScript(letters);
  if (script === 0) return UNKNOWN_LANGUAGE;
  if (script === SCRIPTS.Han) return { language: hanLanguage(letters.counts), probability: 1 };
  const known = LANGUAGE_BY_SCRIPT.get(script);
  if (known !== undefined) return { language: known, probability: 1 };
  if (letters.total < FEWEST_LETTERS) return UNKNOWN_LANGUAGE;
  model ??= new LanguageModel(readFileSync(new URL('languages.bin', import.meta.url)));
  const found = model.classify(letters.units, letters.length, script);
  return found !== null && found.probability >= LEAST_PROBABILITY ? found : UNKNOWN_LANGUAGE;
}

function isCode({ symbols, total }: Letters): boolean {
  return symbols >= FEWEST_CODE_SIGNS && symbols > total * CODE_SHARE;
}

/** The script of more than half of the letters, with Kana counted as Han; 0 when there is none. */
function mainScript({ counts, total }: Letters): number {
  let main = 0;
  for (let script = 1; script < counts.length; script++) {
    if (script !== SCRIPTS.Kana && countOf(counts, script) > countOf(counts, main)) main = script;
  }
  return countOf(counts, main) * 2 > total ? main : 0;
}

function countOf(counts: Int32Array, script: number): number {
  return script === SCRIPTS.Han ? counts[script]! + counts[SCRIPTS.Kana]! : counts[script]!;
}

function hanLanguage(counts: Int32Array): string {
  const kana = counts[SCRIPTS.Kana]!;
  return kana > 0 && kana >= (kana + counts[SCRIPTS.Han]!) * KANA_SHARE ? 'ja' : SCRIPT_LANGUAGES.Han!;
}
