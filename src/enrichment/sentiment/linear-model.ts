import { type Features, WORD_SLOTS } from './features.js';
import { type GramSums } from '../text/word.js';
import { GRAM_SLOTS, gramSlots } from './lexicon.js';
import { SUMMARY_SIZE } from './summary.js';

/** Probabilities of positive, neutral and negative. */
export type Probabilities = readonly [positive: number, neutral: number, negative: number];

/** Weight of all character n-grams together relative to the words. */
export const GRAM_SCALE = 0.7;
const CLASSES = 3;
const MAGIC = 0x53454e31;
const HEADER = 16;

/**
 * Multinomial logistic regression over hashed features; weights are signed bytes.
 * File: magic, two scales (float32), reserved; bias and dense weights (float32); word table; n-gram table.
 */
export class LinearModel {
  private readonly wordScale: number;
  private readonly gramScale: number;
  private readonly bias: Float32Array;
  private readonly dense: Float32Array;
  private readonly words: Int8Array;
  private readonly grams: Int8Array;

  constructor(file: Buffer) {
    const small = (CLASSES + SUMMARY_SIZE * CLASSES) * 4;
    const expected = HEADER + small + (WORD_SLOTS + GRAM_SLOTS) * CLASSES;
    if (file.length !== expected || file.readUInt32LE(0) !== MAGIC) {
      throw new Error(`The sentiment weights are damaged: ${file.length} bytes instead of ${expected}`);
    }
    this.wordScale = file.readFloatLE(4);
    this.gramScale = file.readFloatLE(8);
    const floats = Float32Array.from({ length: small / 4 }, (_zero, at) => file.readFloatLE(HEADER + at * 4));
    this.bias = floats.subarray(0, CLASSES);
    this.dense = floats.subarray(CLASSES);
    const tables = new Int8Array(
      file.buffer,
      file.byteOffset + HEADER + small,
      (WORD_SLOTS + GRAM_SLOTS) * CLASSES,
    );
    this.words = tables.subarray(0, WORD_SLOTS * CLASSES);
    this.grams = tables.subarray(WORD_SLOTS * CLASSES);
  }

  /** Log-odds of the three classes, up to a common constant. */
  logits(features: Features): [number, number, number] {
    const out: [number, number, number] = [this.bias[0]!, this.bias[1]!, this.bias[2]!];
    const { words, dense } = this;
    const slots = features.slots;
    let [a, b, c] = [0, 0, 0];
    for (let at = 0; at < slots.length; at++) {
      const start = slots[at]! * CLASSES;
      a += words[start]!;
      b += words[start + 1]!;
      c += words[start + 2]!;
    }
    const wordScale = this.wordScale / Math.sqrt(Math.max(1, slots.length));
    let count = 0;
    let [x, y, z] = [0, 0, 0];
    for (const word of features.words) {
      const sums = (word.grams ??= this.gramSums(word.text));
      x += sums.positive;
      y += sums.neutral;
      z += sums.negative;
      count += sums.count;
    }
    const gramScale = (this.gramScale * GRAM_SCALE) / Math.sqrt(Math.max(1, count));
    out[0] += a * wordScale + x * gramScale;
    out[1] += b * wordScale + y * gramScale;
    out[2] += c * wordScale + z * gramScale;
    for (let at = 0; at < SUMMARY_SIZE; at++) {
      const value = features.dense[at]!;
      if (value === 0) continue;
      for (let k = 0; k < CLASSES; k++) out[k]! += value * dense[at * CLASSES + k]!;
    }
    return out;
  }

  private gramSums(text: string): GramSums {
    const slots = gramSlots(text);
    const sums = { positive: 0, neutral: 0, negative: 0, count: slots.length };
    for (const slot of slots) {
      sums.positive += this.grams[slot * CLASSES]!;
      sums.neutral += this.grams[slot * CLASSES + 1]!;
      sums.negative += this.grams[slot * CLASSES + 2]!;
    }
    return sums;
  }
}

/** Trained weights before quantisation. */
export interface Weights {
  words: Float32Array;
  grams: Float32Array;
  dense: Float32Array;
  bias: Float32Array;
}

/** Writes trained weights in the form that {@link LinearModel} reads. */
export function encodeWeights(weights: Weights): Buffer {
  const words = quantise(weights.words);
  const grams = quantise(weights.grams);
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(MAGIC, 0);
  header.writeFloatLE(words.step, 4);
  header.writeFloatLE(grams.step, 8);
  const small = Buffer.alloc((CLASSES + SUMMARY_SIZE * CLASSES) * 4);
  [...weights.bias, ...weights.dense].forEach((value, at) => small.writeFloatLE(value, at * 4));
  return Buffer.concat([header, small, Buffer.from(words.bytes.buffer), Buffer.from(grams.bytes.buffer)]);
}

function quantise(values: Float32Array): { bytes: Int8Array; step: number } {
  const largest = values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  const step = largest > 0 ? largest / 127 : 1;
  return { bytes: Int8Array.from(values, (value) => Math.round(value / step)), step };
}

/** Converts log-odds to probabilities. */
export function softmax(logits: readonly [number, number, number]): Probabilities {
  const top = Math.max(...logits);
  const positive = Math.exp(logits[0] - top);
  const neutral = Math.exp(logits[1] - top);
  const negative = Math.exp(logits[2] - top);
  const sum = positive + neutral + negative;
  return [positive / sum, neutral / sum, negative / sum];
}
