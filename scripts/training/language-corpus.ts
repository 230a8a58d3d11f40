import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_LANGUAGES } from '../../src/text/language/languages.js';
import { collectFeatures, slotsOf, type ModelScript } from '../../src/text/language/language-model.js';
import { readLetters } from '../../src/text/language/letters.js';
import { SCRIPTS } from '../../src/text/language/scripts.js';
import { readLabelled } from './dataset.js';
import { randomFrom } from './softmax.js';

/** Folders of the training texts. */
export interface LanguageSources {
  /** Labelled sets (TSV) of the sentiment models. */
  labelled: string;
  /** Word frequencies of subtitles: `nl/nl_50k.txt` has a word and its count on each line. */
  words: string;
  /** Sentences of web pages, one a line: `nl.txt`. Every second line is for evaluation. */
  sentences: string;
}

/** A text as features of its script's table, and the index of its language. */
export interface LanguageExample {
  features: Int32Array;
  language: number;
}

const SEED = 1;
/** Texts made of frequent words, for each language; more for those that forums use most. */
const MADE = 6_000;
const MADE_OF_MAIN = 9_000;
const MAIN = new Set(['en', 'de', 'es', 'pt', 'fr', 'it', 'ru']);
const MOST_WORDS = 14;
const VOCABULARY = 30_000;
const RAREST = 5;
/** Exponent of the counts: rare words get more weight than they have in subtitles. */
const DAMPING = 0.8;
/** Repetitions of the sentences of a language without word frequencies. */
const REPEATED = 4;
/** Files whose names differ from the language; those of one language share its number of texts. */
const WORD_FILES: Readonly<Record<string, readonly string[]>> = { pt: ['pt', 'pt_br'] };
const SENTENCE_FILES: Readonly<Record<string, string>> = { no: 'nb' };
const TWEETS = ['ar', 'de', 'es', 'fr', 'hi', 'it', 'pt'];
/** The Hindi set has English texts, which taught the model to take every fifth English tweet for Hindi. */
const ENGLISH_WORDS = 20_000;
const FEWEST_FOREIGN_WORDS = 2;
const FOREIGN_SHARE = 0.2;
const ENGLISH = { 'goemotions.train': 6_000, 'vader_movies.dev': 1_500 };

const CYRILLIC: Readonly<Record<string, string>> = Object.fromEntries(
  'a:а b:б v:в g:г d:д đ:ђ e:е ž:ж z:з i:и j:ј k:к l:л lj:љ m:м n:н nj:њ o:о p:п r:р s:с t:т ć:ћ u:у f:ф h:х c:ц č:ч dž:џ š:ш'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Reads all training texts of one script, in an order that depends only on the files. */
export function readLanguageCorpus(sources: LanguageSources, script: ModelScript): LanguageExample[] {
  const examples: LanguageExample[] = [];
  const random = randomFrom(SEED);
  const languages: readonly string[] = MODEL_LANGUAGES[script];
  const buffer = new Int32Array(2_000);
  const add = (language: number, text: string): void => {
    const { units, length } = readLetters(text);
    const count = collectFeatures(units, length, SCRIPTS[script], slotsOf(script) - 1, buffer);
    if (count > 0) examples.push({ features: buffer.slice(0, count), language });
  };
  languages.forEach((code, language) => {
    const files = (WORD_FILES[code] ?? [code]).map((name) => join(sources.words, name, `${name}_50k.txt`));
    const present = files.filter((file) => existsSync(file));
    const transliterate = code === 'sr' ? toCyrillic : (text: string): string => text;
    for (const file of present) {
      const pick = wordPicker(file, random);
      const texts = (MAIN.has(code) ? MADE_OF_MAIN : MADE) / present.length;
      for (let made = 0; made < texts; made++) {
        const words = 1 + Math.floor(random() ** 1.5 * MOST_WORDS);
        add(language, transliterate(Array.from({ length: words }, pick).join(' ')));
      }
    }
    const sentences = trainingSentences(sources.sentences, code);
    for (let round = 0; round < (present.length > 0 ? 1 : REPEATED); round++) {
      for (const text of sentences) addWithPart(text, random, (part) => add(language, part));
    }
    for (const text of labelledTexts(sources, code)) {
      addWithPart(text, random, (part) => add(language, part));
    }
  });
  return examples;
}

/** The lines that are not used for evaluation. */
function trainingSentences(folder: string, code: string): string[] {
  const file = `${SENTENCE_FILES[code] ?? code}.txt`;
  if (!readdirSync(folder).includes(file)) return [];
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return lines.filter((line, at) => line !== '' && at % 2 === 0);
}

function labelledTexts({ labelled, words }: LanguageSources, code: string): string[] {
  if (TWEETS.includes(code)) {
    const texts = readLabelled(labelled, `umsab_${code}.train`).map((row) => row.text);
    return code === 'hi' ? texts.filter(hasForeignWords(words)) : texts;
  }
  if (code !== 'en') return [];
  return Object.entries(ENGLISH).flatMap(([name, most]) =>
    readLabelled(labelled, name)
      .slice(0, most)
      .map((row) => row.text),
  );
}

/** Whether a text has words in another script, or enough that are not among the frequent English ones. */
function hasForeignWords(folder: string): (text: string) => boolean {
  const rows = readFileSync(join(folder, 'en', 'en_50k.txt'), 'utf8')
    .split('\n')
    .slice(0, ENGLISH_WORDS);
  const english = new Set(rows.map((row) => row.split(' ')[0]));
  return (text) => {
    if (/\p{Script=Devanagari}/u.test(text)) return true;
    const plain = text.toLowerCase().replace(/https?:\S+|[@#]\S+/g, ' ');
    const found = plain.match(/[a-z']{2,}/g) ?? [];
    const foreign = found.filter((word) => !english.has(word) && !english.has(word.replace(/'.*/, '')));
    return foreign.length >= FEWEST_FOREIGN_WORDS && foreign.length >= found.length * FOREIGN_SHARE;
  };
}

/** Adds a text and a few words of it, because short texts are hard and common. */
function addWithPart(text: string, random: () => number, add: (part: string) => void): void {
  add(text);
  const words = text.split(' ');
  const from = Math.floor(random() * words.length);
  add(words.slice(from, from + 1 + Math.floor(random() * 5)).join(' '));
}

/** Returns words of a frequency list at random, the frequent ones more often. */
function wordPicker(file: string, random: () => number): () => string {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, VOCABULARY)
    .map((line) => line.split(' '))
    .filter(([word, count]) => word !== undefined && Number(count) >= RAREST && !/\d/.test(word));
  let total = 0;
  const sums = rows.map(([, count]) => (total += Number(count) ** DAMPING));
  return () => {
    const at = random() * total;
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return rows[low]![0]!;
  };
}

/** Serbian is written in both scripts; the frequencies are of the Latin one. */
function toCyrillic(text: string): string {
  return text.replace(/lj|nj|dž|[a-zđžćčš]/g, (letters) => CYRILLIC[letters] ?? letters);
}
