import { stem } from '../../text/stems.js';
import { shippedFrequencies } from './background-frequencies.js';
import { keyOfStem, STOPWORDS, termOf } from './terms.js';

const STOP_STEMS = new Set([...STOPWORDS].flatMap((word) => [word, stem(word, 'en')]));

/**
 * How often the documents of a general English collection must be halved to get those that have a word, given as its
 * stem; whole, 0 for stop words to 15 for words that are missing in it. The collection is read on first use.
 */
export function wordRarity(word: string): number {
  if (STOP_STEMS.has(word)) return 0;
  return shippedFrequencies().rarity(keyOfStem(word));
}

/** The same of a word in lower case, as it is written. */
export function formRarity(form: string): number {
  const { key, stop } = termOf({ text: form, elongated: false, sentiment: null, term: null }, null);
  return stop ? 0 : shippedFrequencies().rarity(key);
}
