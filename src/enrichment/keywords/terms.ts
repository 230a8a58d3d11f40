import stemmer from 'natural/lib/natural/stemmers/porter_stemmer.js';
import stopwords from 'natural/lib/natural/util/stopwords.js';
import { hashText, mixBits } from '../../common/hash.js';
import { type Term, type Word } from '../text/word.js';

/** Words of forum talk that are missing from the package's list. */
const FORUM_STOPWORDS =
  "i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've they're they've that's there's what's who's " +
  "let's isn't aren't wasn't weren't don't doesn't didn't won't can't couldn't shouldn't wouldn't haven't hasn't hadn't " +
  'im ive id ill youre dont doesnt didnt cant wont isnt thats whats also would could should might may must shall will ' +
  'us etc eg ie via per yet upon within without among amongst though although however therefore thus hence else ' +
  "not no n't 's 'm 've 're 'll 'd amp lol edit tldr";
/** Words that occur in nearly every English text. */
export const STOPWORDS: ReadonlySet<string> = new Set([...stopwords.words, ...FORUM_STOPWORDS.split(' ')]);
/** Marks of reposts and remains of addresses, which name no subject in any language. */
const LEFTOVERS: ReadonlySet<string> = new Set(['rt', 'http', 'https', 'www']);
const LONGEST_STEMMED = 40;
/** Longer words cannot be keywords. */
export const LONGEST_WORD = 60;

/**
 * The term of a word: in English computed on first use, with the stem; in other languages the word itself. `stopWords`
 * are those of the language, null for English.
 */
export function termOf(word: Word, stopWords: ReadonlySet<string> | null): Term {
  if (stopWords === null) return (word.term ??= describe(word.text));
  return termWithStem(word.text, word.text, stopWords);
}

function describe(text: string): Term {
  const stemmed =
    text.length > LONGEST_STEMMED
      ? text
      : text
          .split('-')
          .map((part) => stemmer.stem(part))
          .join('-');
  return termWithStem(text, stemmed, STOPWORDS);
}

/** The key of a word as a phrase of its own, from its stem. */
export const keyOfStem = (stemmed: string): number => phraseKey(mixBits(hashText(stemmed)));

function termWithStem(text: string, stemmed: string, stopWords: ReadonlySet<string>): Term {
  const stem = hashText(stemmed);
  return {
    stem,
    key: phraseKey(mixBits(stem)),
    stop: stopWords.has(text) || LEFTOVERS.has(text) || text.length < 2 || text.length > LONGEST_WORD,
    suffix: hashText(text.slice(-3)),
  };
}

/** Keys have 30 bits, so that V8 stores them in a map as small integers. */
export function phraseKey(hash: number): number {
  return hash >>> 2;
}
