import { addToHash, EMPTY_HASH, hashText, mixBits } from '../../common/hash.js';

/** Buckets of hashed words. */
export const WORD_BUCKETS = 8_192;
/** Buckets of hashed words and pairs of words, then of parts of words. */
export const PART_BUCKETS = 2 * WORD_BUCKETS;

const WORD = /https?:\/\/\S+|[@#]?[\p{L}\p{N}_]+/gu;
/** Maximum number of characters of a text that are read. */
export const MAX_CHARACTERS = 1_000;
/** Maximum number of characters of a word that are read. */
const MAX_WORD = 30;
const [SHORTEST_PART, LONGEST_PART] = [3, 5];

/** Buckets, each once, with the weight `1 + ln(count)` of each. */
export interface Counts {
  buckets: Int32Array;
  weights: Float64Array;
}

/** The words of a text in lower case. Links are `http`, names of accounts `@`, and hashtags keep their sign. */
export function wordsOf(text: string): string[] {
  const words = text.slice(0, MAX_CHARACTERS).toLowerCase().match(WORD) ?? [];
  return words.map((word) =>
    word.startsWith('http') ? 'http' : word.startsWith('@') ? '@' : word.slice(0, MAX_WORD),
  );
}

/** A word without the sign of a hashtag. */
export const bareWord = (word: string): string => (word.startsWith('#') ? word.slice(1) : word);

/** The bucket of a bare word, the same for {@link wordCounts} and for {@link partCounts}. */
export const wordBucket = (word: string): number => hashText(word) % WORD_BUCKETS;

/** The words of a text, counted by bucket. */
export function wordCounts(words: readonly string[]): Counts {
  return BUCKET_COUNTER.take(() => {
    for (const word of words) BUCKET_COUNTER.add(wordBucket(bareWord(word)));
  });
}

/** The words, pairs of neighbours and parts of three to five characters, counted by bucket. */
export function partCounts(words: readonly string[]): Counts {
  const bare = words.map(bareWord);
  return BUCKET_COUNTER.take(() => {
    bare.forEach((word, at) => {
      BUCKET_COUNTER.add(wordBucket(word));
      if (at > 0) BUCKET_COUNTER.add(pairBucket(bare[at - 1]!, word));
    });
    for (const word of new Set(bare)) eachPart(word, (bucket) => BUCKET_COUNTER.add(bucket));
  });
}

/** The bucket of each part of a word, whose ends count as characters. */
export function eachPart(word: string, visit: (bucket: number) => void): void {
  const padded = ` ${word} `;
  for (let start = 0; start + SHORTEST_PART <= padded.length; start += 1) {
    const end = Math.min(padded.length, start + LONGEST_PART);
    let value = EMPTY_HASH;
    for (let at = start; at < end; at += 1) {
      value = addToHash(value, padded.charCodeAt(at));
      if (at - start + 1 >= SHORTEST_PART) visit(WORD_BUCKETS + (mixBits(value) % WORD_BUCKETS));
    }
  }
}

function pairBucket(first: string, second: string): number {
  return mixBits(Math.imul(hashText(first), 31) + hashText(second)) % WORD_BUCKETS;
}

/** Counts buckets without an allocation for each text. */
class BucketCounter {
  private readonly counts = new Uint16Array(PART_BUCKETS);
  private readonly touched: number[] = [];

  add(bucket: number): void {
    if (this.counts[bucket] === 0) this.touched.push(bucket);
    this.counts[bucket]! += 1;
  }

  /** What `fill` adds. */
  take(fill: () => void): Counts {
    fill();
    const buckets = Int32Array.from(this.touched);
    const weights = new Float64Array(buckets.length);
    for (let at = 0; at < buckets.length; at += 1) {
      const count = this.counts[buckets[at]!]!;
      weights[at] = count === 1 ? 1 : 1 + Math.log(count);
      this.counts[buckets[at]!] = 0;
    }
    this.touched.length = 0;
    return { buckets, weights };
  }
}

const BUCKET_COUNTER = new BucketCounter();

/** Inverse document frequencies of buckets; 0 for those in fewer than `minimum` texts. */
export function inverseFrequencies(texts: readonly Counts[], size: number, minimum: number): Float64Array {
  const found = new Float64Array(size);
  for (const { buckets } of texts) for (const bucket of buckets) found[bucket]! += 1;
  return found.map((count) => (count < minimum ? 0 : Math.log((1 + texts.length) / (1 + count)) + 1));
}

/** The weights times the factor of each bucket, with length 1 unless all are 0. */
export function weighted({ buckets, weights }: Counts, factors: ArrayLike<number>): Counts {
  const scaled = weights.map((weight, at) => weight * factors[buckets[at]!]!);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0)) || 1;
  return { buckets, weights: scaled.map((value) => value / length) };
}

/** The sum of weights times the value of each bucket. */
export function dot({ buckets, weights }: Counts, values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < buckets.length; at += 1) sum += weights[at]! * values[buckets[at]!]!;
  return sum;
}
