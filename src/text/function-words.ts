import stopwords from 'natural/lib/natural/util/stopwords.js';
import { foldWord } from './character-classes.js';
import { stopWordsOf } from './language/stop-words.js';
import { isDefault, otherLanguages, type Script } from './stems.js';

/** Shorter stems are those of function words, or of too many words. */
const LEAST_STEM = 3;

const sets = new Map<string, ReadonlySet<string>>();
const unions = new Map<Script, ReadonlySet<string>>();

/** Whether a stem says too little: it has fewer than three letters. */
export const isShortStem = (stem: string): boolean => stem.length < LEAST_STEM;

/** Whether a folded form is a function word of a language. */
export function isFunctionWord(form: string, language: string): boolean {
  let words = sets.get(language);
  if (words === undefined) {
    words = new Set([...(language === 'en' ? stopwords.words : stopWordsOf(language))].map(foldWord));
    sets.set(language, words);
  }
  return words.has(form);
}

/** Whether a stem in the default language of a script is also, or nearly, a function word of another of its languages. */
export function isForeignWord(stem: string, script: Script, language: string): boolean {
  if (!isDefault(script, language) || isFunctionWord(stem, language)) return false;
  if (isShortStem(stem)) return stem.length > 1;
  let union = unions.get(script);
  if (union === undefined) {
    union = new Set(otherLanguages(script).flatMap((other) => [...stopWordsOf(other)].map(foldWord)));
    unions.set(script, union);
  }
  return union.has(stem);
}
