import stopwords from 'natural/lib/natural/util/stopwords.js';
import { foldWord } from './character-classes.js';
import { stopWordsOf } from './language/stop-words.js';
import { LISTED_NOUNS } from './listed-nouns.js';
import { isDefault, otherLanguages, type Script, stemmedAs } from './stems.js';

/** Shorter stems are those of function words, or of too many words. */
const LEAST_STEM = 3;

/** The folded frequent words of a language, and the nouns among them. */
interface Listed {
  words: ReadonlySet<string>;
  nouns: ReadonlySet<string>;
}

const lists = new Map<string, Listed>();
const unions = new Map<Script, ReadonlySet<string>>();

/** Whether a stem says too little: it has fewer than three letters. */
export const isShortStem = (stem: string): boolean => stem.length < LEAST_STEM;

/** Whether a folded form is a function word of a language. */
export function isFunctionWord(form: string, language: string): boolean {
  const { words, nouns } = listOf(language);
  return words.has(form) && !nouns.has(form);
}

/** Whether a folded form is a frequent word of a language: a function word or a noun. */
export const isFrequent = (form: string, language: string): boolean => listOf(language).words.has(form);

/** Whether a stem is a frequent noun only of languages in which the form, a frequent word elsewhere, is none. */
export function isOthersNoun(form: string, stem: string, script: Script): boolean {
  const languages = otherLanguages(script);
  const having = languages.filter((one) => listOf(one).nouns.has(stem));
  if (having.length === 0 || having.some((one) => isFrequent(form, one))) return false;
  return [stemmedAs(script, 'und'), ...languages].some((one) => isFrequent(form, one));
}

/** Whether a stem in the default language of a script is also, or nearly, a function word of another of its languages. */
export function isForeignWord(stem: string, script: Script, language: string): boolean {
  if (!isDefault(script, language) || isFunctionWord(stem, language)) return false;
  if (isShortStem(stem)) return stem.length > 1;
  let union = unions.get(script);
  if (union === undefined) {
    union = new Set(otherLanguages(script).flatMap((other) => [...listOf(other).words]));
    unions.set(script, union);
  }
  return union.has(stem);
}

function listOf(language: string): Listed {
  let list = lists.get(language);
  if (list === undefined) {
    const words = language === 'en' ? stopwords.words : stopWordsOf(language);
    const nouns = LISTED_NOUNS[language]?.split(' ') ?? [];
    list = { words: new Set([...words].map(foldWord)), nouns: new Set(nouns.map(foldWord)) };
    lists.set(language, list);
  }
  return list;
}
