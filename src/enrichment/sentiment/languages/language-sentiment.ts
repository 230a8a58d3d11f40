import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { Token } from '../../text/tokens.js';
import { softmax, type Probabilities } from '../linear-model.js';
import { LANGUAGE_SLOTS, languageFeatures, type LanguageFeatures } from './language-features.js';
import { NEGATIONS } from './negations.js';

/** Weight of all character n-grams together relative to the words. */
export const LANGUAGE_GRAM_SCALE = 0.7;
const CLASSES = 3;
const STEPS = 127;
const FLOATS = 2 + CLASSES;
const TABLE = LANGUAGE_SLOTS * CLASSES;

/** Trained weights of one language before quantisation: three values for each slot, and a bias. */
export interface LanguageWeights {
  words: Float32Array;
  grams: Float32Array;
  bias: Float32Array;
}

/**
 * Multinomial logistic regression over the hashed features of one language. File, compressed with Brotli: two scales and
 * three biases (float32), then the word table and the n-gram table as signed bytes.
 */
class LanguageModel {
  private readonly numbers: Float32Array;
  private readonly words: Int8Array;
  private readonly grams: Int8Array;

  constructor(compressed: Buffer) {
    const file = brotliDecompressSync(compressed);
    if (file.length !== FLOATS * 4 + 2 * TABLE) {
      throw new Error(`The sentiment weights of a language are damaged: ${file.length} bytes`);
    }
    this.numbers = Float32Array.from({ length: FLOATS }, (_zero, at) => file.readFloatLE(at * 4));
    const bytes = new Int8Array(file.buffer, file.byteOffset + FLOATS * 4, 2 * TABLE);
    this.words = bytes.subarray(0, TABLE);
    this.grams = bytes.subarray(TABLE);
  }

  probabilities({ words, grams }: LanguageFeatures): Probabilities {
    const wordScale = this.numbers[0]! / Math.sqrt(Math.max(1, words.length));
    const gramScale = (this.numbers[1]! * LANGUAGE_GRAM_SCALE) / Math.sqrt(Math.max(1, grams.length));
    const of = sums(this.words, words);
    const parts = sums(this.grams, grams);
    const logit = (k: 0 | 1 | 2): number => this.numbers[2 + k]! + of[k] * wordScale + parts[k] * gramScale;
    return softmax([logit(0), logit(1), logit(2)]);
  }
}

function sums(table: Int8Array, slots: readonly number[]): [number, number, number] {
  let [positive, neutral, negative] = [0, 0, 0];
  for (const slot of slots) {
    positive += table[slot * CLASSES]!;
    neutral += table[slot * CLASSES + 1]!;
    negative += table[slot * CLASSES + 2]!;
  }
  return [positive, neutral, negative];
}

/** The sentiment models of languages besides English; each file is read when its language is first met. */
export class LanguageSentiment {
  private readonly models = new Map<string, LanguageModel>();

  /** Whether there is a model of a language. */
  has(language: string): boolean {
    return language in NEGATIONS;
  }

  /** Probabilities of positive, neutral and negative of a text in a language that {@link has} a model. */
  probabilities(tokens: readonly Token[], language: string): Probabilities {
    let model = this.models.get(language);
    if (!model) {
      model = new LanguageModel(readFileSync(new URL(`${language}.bin`, import.meta.url)));
      this.models.set(language, model);
    }
    return model.probabilities(languageFeatures(tokens, NEGATIONS[language]!));
  }
}

/** Writes trained weights in the form that {@link LanguageSentiment} reads. */
export function encodeLanguageWeights({ words, grams, bias }: LanguageWeights): Buffer {
  const tables = [words, grams].map((values) => {
    const largest = values.reduce((top, value) => Math.max(top, Math.abs(value)), 1e-6);
    return { step: largest / STEPS, values };
  });
  const numbers = Buffer.alloc(FLOATS * 4);
  [...tables.map(({ step }) => step), ...bias].forEach((value, at) => numbers.writeFloatLE(value, at * 4));
  const bytes = tables.map(({ step, values }) =>
    Buffer.from(Int8Array.from(values, (value) => Math.round(value / step)).buffer),
  );
  return brotliCompressSync(Buffer.concat([numbers, ...bytes]));
}
