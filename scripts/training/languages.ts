import { createRequire } from 'node:module';
import { encodeVocabulary, type LanguageFile } from '../../src/enrichment/sentiment/language-gate.js';
import { plainText } from '../../src/enrichment/text/markup.js';
import { Kind, tokenize } from '../../src/enrichment/text/tokens.js';

const require = createRequire(import.meta.url);
const OTHERS =
  'de fr es it pt nl sv no da fi pl tr id ro cs hu hr sk sl ca tl vi af et lv lt ms sw eu gl'.split(' ');
/** A word this frequent in the English texts is no sign of another language. */
const EVERYDAY = 3;
const SEEN = 2;

/** The language gate's data: other languages' function words (stopwords-iso, MIT) and the words of `texts`. */
export function buildLanguages(texts: readonly string[], lexicon: Iterable<string>): LanguageFile {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const token of tokenize(plainText(text))) {
      if (token.kind === Kind.Word) counts.set(token.text, (counts.get(token.text) ?? 0) + 1);
    }
  }
  const lists = require('stopwords-iso/stopwords-iso.json') as Record<string, string[]>;
  const english = new Set(lists.en);
  const foreign = new Set<string>();
  for (const language of OTHERS) {
    for (const word of lists[language] ?? []) {
      if (!english.has(word) && (counts.get(word) ?? 0) < EVERYDAY) foreign.add(word);
    }
  }
  const known = new Set([...lexicon, ...english]);
  for (const [word, count] of counts) if (count >= SEEN && !foreign.has(word)) known.add(word);
  return { foreign: [...foreign].sort(), vocabulary: encodeVocabulary(known) };
}
