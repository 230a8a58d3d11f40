import { bareWord, wordBucket } from './text-reader.js';

/** The words that an alert looks for, in lower case; those of a prefix end with `*`. */
export type QueryWords = readonly string[];

const MAX_WORDS = 100;
const QUERY_WORD = /(?<![\p{L}\p{N}_:-])[\p{L}\p{N}_]+\*?/gu;
const OPERATORS = new Set(['OR', 'AND', 'NOT', 'NEAR']);

/** The words of an alert's keywords and query, without operators and excluded words. */
export function queryWords(keywords: readonly string[], query: string | null): QueryWords {
  const found = [...keywords, query ?? ''].flatMap((text) => text.match(QUERY_WORD) ?? []);
  const words = found.filter((word) => !OPERATORS.has(word)).map((word) => word.toLowerCase().slice(0, 31));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Recognises the words of a query, those of four letters and more also with an ending. */
export function queryTest(query: QueryWords): (word: string) => boolean {
  const whole = new Set(query);
  const prefixes = query
    .filter((word) => word.endsWith('*') || word.length > 3)
    .map((word) => word.replace('*', ''));
  return (word) => {
    const bare = bareWord(word);
    return whole.has(bare) || prefixes.some((prefix) => bare.startsWith(prefix));
  };
}

/** Where and how a query's words stand in a text, and what kind of text it is; {@link GENERAL} has the weight of each. */
export function standing(
  text: string,
  words: readonly string[],
  isQueryWord: (word: string) => boolean,
  leanings: ArrayLike<number>,
  isCommon: (bucket: number) => boolean,
): Float64Array {
  const found = new Set<string>();
  let [foundCount, common, leaning, leaningCount, hashtag] = [0, 0, 0, 0, 0];
  for (const word of words) {
    const bucket = wordBucket(bareWord(word));
    if (isCommon(bucket)) common += 1;
    if (word.startsWith('#')) hashtag = 1;
    if (isQueryWord(word)) {
      found.add(word);
      foundCount += 1;
    } else if (leanings[bucket] !== 0) {
      leaning += leanings[bucket]!;
      leaningCount += 1;
    }
  }
  const count = Math.max(3, words.length);
  return Float64Array.of(
    leaning / Math.sqrt(leaningCount + 1),
    found.size,
    foundCount / count,
    Math.log(1 + words.length),
    words[0] === '@' ? 1 : 0,
    words.includes('@') ? 1 : 0,
    hashtag,
    common / count,
    text.startsWith('RT') ? 1 : 0,
  );
}
