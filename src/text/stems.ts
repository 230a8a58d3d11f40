import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as nepali } from '@orama/stemmers/nepali';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as serbian } from '@orama/stemmers/serbian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import snowball from 'snowball-stemmers';

/** Scripts whose words are stemmed. */
export type Script = 'Latn' | 'Cyrl' | 'Grek' | 'Arab' | 'Deva' | 'Taml' | 'Armn';
type Stem = (word: string) => string;

/** A stemmer by BCP 47 language, and the script of the words that it stems. */
const STEMMERS: Readonly<Record<string, { script: Script; load: () => Stem }>> = {
  en: { script: 'Latn', load: from('english') },
  ca: { script: 'Latn', load: from('catalan') },
  da: { script: 'Latn', load: () => danish },
  de: { script: 'Latn', load: () => german },
  es: { script: 'Latn', load: () => spanish },
  eu: { script: 'Latn', load: from('basque') },
  fi: { script: 'Latn', load: () => finnish },
  fr: { script: 'Latn', load: () => french },
  ga: { script: 'Latn', load: () => irish },
  hu: { script: 'Latn', load: () => hungarian },
  id: { script: 'Latn', load: () => indonesian },
  it: { script: 'Latn', load: () => italian },
  lt: { script: 'Latn', load: () => lithuanian },
  nl: { script: 'Latn', load: () => dutch },
  no: { script: 'Latn', load: () => norwegian },
  pt: { script: 'Latn', load: () => portuguese },
  ro: { script: 'Latn', load: () => romanian },
  sv: { script: 'Latn', load: () => swedish },
  tr: { script: 'Latn', load: () => turkish },
  ru: { script: 'Cyrl', load: () => russian },
  sr: { script: 'Cyrl', load: () => serbian },
  el: { script: 'Grek', load: () => greek },
  ar: { script: 'Arab', load: () => arabic },
  hi: { script: 'Deva', load: () => hindi },
  ne: { script: 'Deva', load: () => nepali },
  ta: { script: 'Taml', load: () => tamil },
  hy: { script: 'Armn', load: () => armenian },
};

/** The language in which words of a script are stemmed when the language of their text has no stemmer for it. */
const DEFAULTS: Readonly<Record<Script, string>> = {
  Latn: 'en',
  Cyrl: 'ru',
  Grek: 'el',
  Arab: 'ar',
  Deva: 'hi',
  Taml: 'ta',
  Armn: 'hy',
};
const SCRIPT_NAMES = Object.keys(DEFAULTS) as Script[];
/** Languages without a stemmer whose words a related one stems. */
const ALIASES: Readonly<Record<string, string>> = {
  nb: 'no',
  nn: 'no',
  ms: 'id',
  af: 'de',
  fy: 'nl',
  lb: 'de',
  gl: 'pt',
  ast: 'es',
  oc: 'ca',
};

/** Languages whose words are stemmed, as BCP 47. */
export const STEMMED_LANGUAGES: readonly string[] = Object.keys(STEMMERS);

const loaded = new Map<string, Stem>();

function from(algorithm: string): () => Stem {
  return () => {
    const stemmer = snowball.newStemmer(algorithm);
    return (word) => stemmer.stem(word);
  };
}

/** The language whose stemmer is used for the words of a script in a text of a language, which is BCP 47 or `und`. */
export function stemmedAs(script: Script, language: string): string {
  const base = language.split('-', 1)[0]!;
  const known = ALIASES[base] ?? base;
  return STEMMERS[known]?.script === script ? known : DEFAULTS[script];
}

/** By language, of those that texts were found to have. */
const defaults = new Map<string, boolean>();

/** Whether all words of a text in this language are stemmed in the default languages of their scripts. */
export function hasDefaultStems(language: string): boolean {
  let isDefaultOnly = defaults.get(language);
  if (isDefaultOnly === undefined) {
    isDefaultOnly = SCRIPT_NAMES.every((script) => isDefault(script, stemmedAs(script, language)));
    defaults.set(language, isDefaultOnly);
  }
  return isDefaultOnly;
}

/** Whether words of a script are stemmed in this language when nothing is known about their text. */
export const isDefault = (script: Script, language: string): boolean => DEFAULTS[script] === language;

/** The languages other than the default one that stem words of a script. */
export function otherLanguages(script: Script): readonly string[] {
  return OTHERS[script];
}

const OTHERS = Object.fromEntries(
  Object.entries(DEFAULTS).map(([script, language]) => [
    script,
    STEMMED_LANGUAGES.filter((one) => STEMMERS[one]!.script === script && one !== language),
  ]),
) as unknown as Readonly<Record<Script, readonly string[]>>;

/** The stem of a word in lower case; an empty stem is replaced by the word. */
export function stem(word: string, language: string): string {
  let stemmer = loaded.get(language);
  if (stemmer === undefined) {
    stemmer = STEMMERS[language]!.load();
    loaded.set(language, stemmer);
  }
  return stemmer(word) || word;
}
