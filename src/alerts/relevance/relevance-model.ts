import { probability } from '../../common/probability.js';
import { queryTest, type QueryWords, standing } from './query-standing.js';
import {
  bareWord,
  type Counts,
  dot,
  eachPart,
  PART_BUCKETS,
  partCounts,
  WORD_BUCKETS,
  wordBucket,
  wordCounts,
  wordsOf,
} from './text-reader.js';

/** Maximum number of bytes of a stored model. */
export const MAX_MODEL_BYTES = 64 * 1024;
const MAX_REASONS = 5;
/** Smaller parts of a logit are no reasons. */
const MIN_WEIGHT = 0.02;

/** A word of a text, with what it adds to the logit of its relevance. */
export interface Reason {
  feature: string;
  weight: number;
}

/** The part of a model that is stored as JSON. */
export interface ModelHeader {
  query: QueryWords;
  /** Added to every logit. */
  bias: number;
  /** What each value of `standing` adds. */
  standing: number[];
  /** Largest absolute values of the arrays, which are stored as bytes. */
  scales: Record<Exclude<keyof ModelArrays, 'common'>, number>;
}

/** Values of buckets from -127 to 127, or from 0 to 255. */
export interface ModelArrays {
  /** What a word adds by the words that it stands with. */
  together: Int8Array;
  /** The length by which `together` is divided. */
  lengths: Uint8Array;
  /** How much more often a word is in matches than in other texts. */
  leanings: Int8Array;
  /** Whether a word is one of the commonest. */
  common: Uint8Array;
  /** What a word, a pair or a part adds. */
  parts: Int8Array;
  /** The inverse document frequencies of those. */
  rarities: Uint8Array;
}

/** The layout of a stored model after its header. */
const LAYOUT = [
  ['together', WORD_BUCKETS, true],
  ['lengths', WORD_BUCKETS, false],
  ['leanings', WORD_BUCKETS, true],
  ['common', WORD_BUCKETS / 8, false],
  ['parts', PART_BUCKETS, true],
  ['rarities', PART_BUCKETS, false],
] as const;

/** What an alert learned from its decisions. Scores texts in time linear in their length. */
export class RelevanceModel {
  private readonly isQueryWord: (word: string) => boolean;

  constructor(
    private readonly header: ModelHeader,
    private readonly arrays: ModelArrays,
  ) {
    this.isQueryWord = queryTest(header.query);
  }

  /** A stored model. */
  static parse(stored: Buffer): RelevanceModel {
    let at = 4 + stored.readUInt32LE(0);
    const header = JSON.parse(stored.toString('utf8', 4, at)) as ModelHeader;
    const arrays = Object.fromEntries(
      LAYOUT.map(([name, size, isSigned]) => {
        const bytes = stored.subarray(at, (at += size));
        return [name, isSigned ? Int8Array.from(bytes) : Uint8Array.from(bytes)];
      }),
    );
    return new RelevanceModel(header, arrays as unknown as ModelArrays);
  }

  /** At most {@link MAX_MODEL_BYTES}. */
  store(): Buffer {
    const header = Buffer.from(JSON.stringify(this.header));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(header.length);
    const bytes = LAYOUT.map(([name]) => Buffer.from(this.arrays[name].buffer));
    return Buffer.concat([size, header, ...bytes]);
  }

  /** The calibrated probability that a text is relevant. */
  relevance(text: string): number {
    return probability(this.logit(text));
  }

  /** Up to five words of a text that speak most for or against its relevance, the strongest first. */
  reasons(text: string): Reason[] {
    const words = wordsOf(text);
    const { togetherFactor, partsFactor } = this.factors(wordCounts(words), partCounts(words));
    const leaningFactor =
      (this.header.standing[0]! * this.header.scales.leanings) / 127 / Math.sqrt(words.length + 1);
    const reasons = new Map<string, number>();
    for (const word of words) {
      const bare = bareWord(word);
      if (reasons.has(bare) || word === '@' || word === 'http') continue;
      const bucket = wordBucket(bare);
      let parts = this.partAt(bucket);
      eachPart(bare, (part) => (parts += this.partAt(part)));
      const leaning = this.isQueryWord(word) ? 0 : this.arrays.leanings[bucket]! * leaningFactor;
      reasons.set(bare, this.arrays.together[bucket]! * togetherFactor + parts * partsFactor + leaning);
    }
    return [...reasons]
      .map(([feature, weight]) => ({ feature, weight: Math.round(weight * 1_000) / 1_000 }))
      .filter(({ weight }) => Math.abs(weight) >= MIN_WEIGHT)
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
      .slice(0, MAX_REASONS);
  }

  private logit(text: string): number {
    const { header, arrays } = this;
    const words = wordsOf(text);
    const [byWord, byPart] = [wordCounts(words), partCounts(words)];
    const { togetherFactor, partsFactor } = this.factors(byWord, byPart);
    let parts = 0;
    for (let at = 0; at < byPart.buckets.length; at += 1)
      parts += byPart.weights[at]! * this.partAt(byPart.buckets[at]!);
    const values = standing(text, words, this.isQueryWord, arrays.leanings, (bucket) =>
      this.isCommon(bucket),
    );
    values[0]! *= header.scales.leanings / 127;
    return values.reduce(
      (sum, value, at) => sum + value * header.standing[at]!,
      header.bias + dot(byWord, arrays.together) * togetherFactor + parts * partsFactor,
    );
  }

  /** By which the sums over `together` and over `parts` are multiplied: their scales over the lengths of the text. */
  private factors(byWord: Counts, byPart: Counts): { togetherFactor: number; partsFactor: number } {
    const { scales } = this.header;
    const lengthOf = ({ buckets, weights }: Counts, sizes: Uint8Array): number => {
      let sum = 0;
      for (let at = 0; at < buckets.length; at += 1) sum += (weights[at]! * sizes[buckets[at]!]!) ** 2;
      return (Math.sqrt(sum) || 1) / 255;
    };
    return {
      togetherFactor: scales.together / 127 / (lengthOf(byWord, this.arrays.lengths) * scales.lengths),
      partsFactor: scales.parts / 127 / lengthOf(byPart, this.arrays.rarities) / 255,
    };
  }

  private partAt(bucket: number): number {
    return this.arrays.parts[bucket]! * this.arrays.rarities[bucket]!;
  }

  private isCommon(bucket: number): boolean {
    return (this.arrays.common[bucket >> 3]! & (1 << (bucket & 7))) !== 0;
  }
}
