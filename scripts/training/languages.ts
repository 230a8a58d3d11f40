import { createRequire } from 'node:module';
import stopwords from 'natural/lib/natural/util/stopwords.js';
import { encodeVocabulary, type LanguageFile } from '../../src/enrichment/sentiment/english-filter.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { Kind, tokenize } from '../../src/enrichment/text/tokens.js';
import { WordTable } from '../../src/enrichment/text/word-table.js';

const require = createRequire(import.meta.url);
const OTHERS =
  'de fr es it pt nl sv no da fi pl tr id ro cs hu hr sk sl ca tl vi af et lv lt ms sw eu gl'.split(' ');
/** A word that is this frequent in English texts does not indicate another language. */
const COMMON = 60;
const SEEN = 2;

/** The English filter's data: function words of other languages (stopwords-iso, MIT) and the words of `texts`. */
export function buildLanguages(texts: readonly string[], lexicon: readonly string[]): LanguageFile {
  const words = new WordTable();
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const token of tokenize(plainText(text), words)) {
      if (token.kind === Kind.Word) counts.set(token.text, (counts.get(token.text) ?? 0) + 1);
    }
  }
  const lists = require('stopwords-iso/stopwords-iso.json') as Record<string, string[]>;
  const english = new Set(stopwords.words);
  const valued = new Set(lexicon);
  const isCommon = (word: string): boolean => english.has(word) || (counts.get(word) ?? 0) >= COMMON;
  const foreign = new Set<string>();
  for (const language of OTHERS) {
    for (const word of lists[language] ?? []) if (!isCommon(word) && !valued.has(word)) foreign.add(word);
  }
  const seen = new Set([...valued, ...(lists.en ?? [])]);
  for (const [word, count] of counts) if (count >= SEEN) seen.add(word);
  const common = [...new Set([...english, ...counts.keys()])].filter(isCommon);
  return { common: common.sort(), foreign: [...foreign].sort(), vocabulary: encodeVocabulary(seen) };
}
